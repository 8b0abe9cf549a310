import type { Followed, RenewalWindow } from "@/lib/certificates/issuance/renewal-window";

/** A window as stored and shown: RFC 3339. */
interface StoredWindow {
  start: string;
  end: string;
}

/** What is known of a window, as stored. */
export interface StoredFollowed {
  window: StoredWindow;
  usual: StoredWindow | null;
  moved: { from: StoredWindow | null; to: StoredWindow; at: string } | null;
}

function windowToStored({ start, end }: RenewalWindow): StoredWindow {
  return { start: start.toISOString(), end: end.toISOString() };
}

function windowFromStored({ start, end }: StoredWindow): RenewalWindow {
  return { start: new Date(start), end: new Date(end) };
}

export function toStored({ window, usual, moved }: Followed): StoredFollowed {
  return {
    window: windowToStored(window),
    usual: usual && windowToStored(usual),
    moved: moved && {
      from: moved.from && windowToStored(moved.from),
      to: windowToStored(moved.to),
      at: moved.at.toISOString(),
    },
  };
}

export function fromStored({ window, usual, moved }: StoredFollowed): Followed {
  return {
    window: windowFromStored(window),
    usual: usual && windowFromStored(usual),
    moved: moved && {
      from: moved.from && windowFromStored(moved.from),
      to: windowFromStored(moved.to),
      at: new Date(moved.at),
    },
  };
}
