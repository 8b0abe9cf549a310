"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { EventsTable } from "@/components/audit-logs/events/events-table";
import { useLiveEvents } from "@/components/audit-logs/events/live-events";
import { NothingFound } from "@/components/audit-logs/events/nothing-found";
import { type FirstEvents, useEvents } from "@/components/audit-logs/events/use-events";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { readView } from "@/components/audit-logs/views/view";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { signInPath } from "@/lib/auth/sign-in-path";
import { plural } from "@/lib/text/counts";

const EntryDrawer = lazy(async () => ({
  default: (await import("@/components/audit-logs/entry/entry-drawer")).EntryDrawer,
}));

/** The parameters of the URL without the open entry. */
function listInUrl(): string {
  const params = new URLSearchParams(location.search);
  params.delete("entry");
  return params.toString();
}

/** The list: the first page from the server, pages loaded at either end, live entries, and the open entry. */
export function EventsLive({ first }: { first: FirstEvents }) {
  const { params, change, isGoing, isPaused } = useExplorerView();
  const router = useRouter();
  const { events, readOn, reading, failed, isWhole, above } = useEvents(first);
  const { live, query } = readView(params, 0);
  const { since: _since, order: _order, ...filters } = query;
  const current = params.entry ?? null;
  const isScrolled = useIsScrolled();
  // A list that begins further down can load upwards; the stream only has to add entries newer than the first read.
  const known = useMemo(() => new Set(first.events.map(({ id }) => id)), [first]);
  const newest = (first.feeds.up.cursor === null && first.events[0]?.occurred_at) || first.readAt;
  const isHeld = isPaused || isScrolled || current !== null;
  const stream = live ? new URLSearchParams(filters).toString() : null;
  const { since } = first.feeds.down.query;
  const { arrived, waiting, isFull, connection, release } = useLiveEvents(stream, isHeld, { newest, known }, since);
  const [shown, fresh] = useMemo(() => {
    const ids = new Set(arrived.map(({ id }) => id));
    const known = new Set(events.map(({ id }) => id));
    const others = arrived.filter(({ id }) => !known.has(id));
    const all = [...others, ...events];
    // The entry of a slow request arrives after newer entries.
    if (others.length > 0) all.sort((a, b) => (a.id < b.id ? 1 : -1));
    return [all, ids];
  }, [arrived, events]);
  /** The list from which an entry was opened; null if the entry of the history before this one may be something else. */
  const openedFrom = useRef<string | null>(null);
  useEffect(() => {
    if (current === null) openedFrom.current = null;
  }, [current]);
  const open = useCallback(
    (id: string) => {
      // By the URL, which may be ahead of what is rendered: another row was clicked right before.
      const isOpen = new URLSearchParams(location.search).has("entry");
      const list = listInUrl();
      change({ entry: id }, isOpen ? "replace" : "push");
      if (!isOpen) openedFrom.current = list;
    },
    [change],
  );
  // Load upwards only after the reader asked for it: a list that begins at an entry must show that entry.
  const onEdge = useCallback(
    (edge: "up" | "down") => void (edge === "down" || above === "begun" ? readOn(edge) : undefined),
    [readOn, above],
  );
  // A search for rare entries is split into ranges, and the first may be empty.
  useEffect(() => {
    if (events.length === 0 && failed === null) void readOn("down");
  }, [events.length, failed, readOn]);
  const close = useCallback(() => {
    // By the URL, which may be ahead of what is rendered: j or k was pressed right before.
    const open = new URLSearchParams(location.search).get("entry") ?? current;
    const top = window.scrollY;
    const focusRow = () =>
      requestAnimationFrame(() => {
        window.scrollTo({ top });
        document.querySelector<HTMLElement>(`a[data-row="${open}"]`)?.focus();
      });
    if (openedFrom.current === listInUrl()) {
      // Instead of one more entry of the history, which Back would show without any change.
      window.addEventListener("popstate", focusRow, { once: true });
      window.history.back();
      openedFrom.current = null;
    } else {
      change({ entry: null }, "replace");
      focusRow();
    }
  }, [change, current]);
  return (
    <div className={cx(isGoing && "opacity-60")} aria-busy={isGoing}>
      {connection !== "open" && <Interrupted isOver={connection === "over"} />}
      {waiting > 0 && (
        <div className="pointer-events-none sticky top-14 z-20 flex h-0 justify-center lg:top-9">
          <Button
            kind="primary"
            className="pointer-events-auto mt-1 shadow-float"
            onClick={() => {
              if (isFull) return router.refresh();
              release();
              window.scrollTo({ top: 0 });
            }}
          >
            Show {plural(waiting, "new entry", "new entries")}
          </Button>
        </div>
      )}
      {above === "untouched" && (
        <p className="border-t px-2 py-1 sm:px-3">
          <Button kind="quiet" pending={reading === "up"} onClick={() => void readOn("up")}>
            Load newer entries
          </Button>
        </p>
      )}
      {shown.length === 0 && !live ? (
        isWhole && <NothingFound />
      ) : (
        <EventsTable
          events={shown}
          fresh={fresh}
          current={current}
          followsTop={first.feeds.up.cursor === null}
          onOpen={open}
          onEdge={onEdge}
        />
      )}
      {(shown.length > 0 || !isWhole) && (
        <p role="status" className="flex min-h-10 items-center gap-3 px-4 text-second sm:px-5">
          {failed !== null ? (
            <>
              <span className="text-bad">More entries could not be loaded.</span>
              <Button onClick={() => void readOn(failed)}>Try again</Button>
            </>
          ) : reading === "down" ? (
            shown.length > 0 ? (
              "Loading…"
            ) : (
              "Nothing found yet. Searching further back…"
            )
          ) : isWhole ? (
            params.order === "asc" ? (
              "This is the newest entry."
            ) : (
              "This is the oldest entry in the range."
            )
          ) : (
            <Button kind="quiet" onClick={() => void readOn("down")}>
              Load more
            </Button>
          )}
        </p>
      )}
      {shown.length === 0 && live && <p className="px-4 py-6 text-second sm:px-5">Waiting for the first entry…</p>}
      <Suspense>
        {current !== null && <EntryDrawer id={current} events={shown} onOpen={open} onClose={close} />}
      </Suspense>
    </div>
  );
}

function Interrupted({ isOver }: { isOver: boolean }) {
  return (
    <p role="status" className="border-t bg-warn-wash px-4 py-1 text-sm text-warn sm:px-5">
      {isOver ? (
        <>
          Your session has ended, so no new entries appear here.{" "}
          <a href={signInPath(location.pathname + location.search)} className="font-medium underline">
            Sign in
          </a>
        </>
      ) : (
        "The live connection was interrupted. Reconnecting; no entry will be missing."
      )}
    </p>
  );
}

const THRESHOLD_PX = 120;

/** Whether the reader has scrolled away from the top: then new entries would move what they are reading. */
function useIsScrolled(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener("scroll", listener, { passive: true });
      return () => window.removeEventListener("scroll", listener);
    },
    () => window.scrollY > THRESHOLD_PX,
    () => false,
  );
}
