import { type Finding, found } from "@/lib/certificates/findings";
import type { Validity } from "@/lib/certificates/lifetime";

/** When an authority suggests renewing a certificate. */
export interface RenewalWindow {
  start: Date;
  end: Date;
}

/** A window that the authority moved forward, as before a mass revocation. */
export interface Moved {
  /** The window before; null if the first answer showed it. */
  from: RenewalWindow | null;
  /** The window as first seen after that. Some authorities answer with another one each time. */
  to: RenewalWindow;
  at: Date;
}

/** What a certificate's authority suggests (RFC 9773). */
export interface KnownWindow {
  /** Of the certificate, in lower-case hexadecimal. */
  sha256: string;
  window: RenewalWindow;
  moved: Moved | null;
  explanationUrl: string | null;
}

/** What is known of a certificate's window. */
export interface Followed {
  window: RenewalWindow;
  /** The last window that was not moved forward; null if there was none. */
  usual: RenewalWindow | null;
  moved: Moved | null;
}

/** Authorities suggest windows near the end of the lifetime; one that ends within this first share is unusual. */
const EARLY_SHARE = 1 / 3;

function isEarly({ end }: RenewalWindow, { notBefore, notAfter }: Validity): boolean {
  return end.getTime() < notBefore.getTime() + EARLY_SHARE * (notAfter.getTime() - notBefore.getTime());
}

/**
 * What is known after an answer. A window counts as moved forward if it ends before the usual one begins: smaller changes spread
 * load. Without a usual one, if it ends within the first third of the lifetime.
 */
export function followWindow(
  before: Pick<Followed, "usual" | "moved"> | null,
  window: RenewalWindow,
  validity: Validity,
  at: Date,
): Followed {
  const usual = before?.usual ?? null;
  const isMoved = usual === null ? isEarly(window, validity) : window.end < usual.start;
  if (!isMoved) return { window, usual: window, moved: null };
  return { window, usual, moved: before?.moved ?? { from: usual, to: window, at } };
}

const inJson = ({ start, end }: RenewalWindow) => ({ start: start.toISOString(), end: end.toISOString() });

/** A window that its authority moved forward: the certificate is probably about to be revoked. */
export function judgeMoved({ notAfter }: Validity, known: KnownWindow | null, now: Date): Finding | null {
  // Once it has expired, `expired` suffices.
  if (known === null || known.moved === null || notAfter < now) return null;
  const { moved, explanationUrl } = known;
  return found("renewal_moved_forward", "critical", {
    from: moved.from && inJson(moved.from),
    to: inJson(moved.to),
    seen_at: moved.at.toISOString(),
    explanation_url: explanationUrl,
  });
}
