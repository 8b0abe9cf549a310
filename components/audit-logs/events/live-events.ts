"use client";

import { useCallback, useEffect, useReducer, useRef } from "react";
import { setLiveState } from "@/components/audit-logs/events/live-state";
import type { AuditEvent } from "@/lib/audit-logs/contract";

/** A page left open must not grow forever: beyond this number, new entries are only counted. */
const MAX_KEPT = 5_000;

interface Arrivals {
  /** Newest first. */
  shown: AuditEvent[];
  waiting: AuditEvent[];
  /** Number of entries that arrived beyond the limit: only a reload of the list shows them. */
  uncounted: number;
  connection: Connection;
}

/** `cut`: interrupted and tried again; `over`: the session has ended. */
export type Connection = "open" | "cut" | "over";

/** The state of the list when it was read. */
interface Known {
  /** The time of the newest entry, or the time of the read if the list was empty. RFC 3339. */
  newest: string;
  known: ReadonlySet<string>;
}

type Change =
  | { kind: "came"; events: AuditEvent[]; isHeld: boolean }
  | { kind: "release" }
  | { kind: "connection"; connection: Connection }
  | { kind: "end" };

const nothing: Arrivals = { shown: [], waiting: [], uncounted: 0, connection: "open" };

/** Exported for its test. */
export function arrivals(before: Arrivals, change: Change): Arrivals {
  if (change.kind === "end") return nothing;
  if (change.kind === "connection") return { ...before, connection: change.connection };
  if (change.kind === "release") return { ...before, shown: merged(before.shown, before.waiting), waiting: [] };
  const known = new Set([...before.shown, ...before.waiting].map(({ id }) => id));
  const fresh = change.events.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return before;
  if (before.shown.length + before.waiting.length + fresh.length > MAX_KEPT) {
    return { ...before, uncounted: before.uncounted + fresh.length };
  }
  const isHeld = change.isHeld || before.uncounted > 0;
  return isHeld
    ? { ...before, waiting: merged(before.waiting, fresh) }
    : { ...before, shown: merged(before.shown, fresh) };
}

function merged(one: AuditEvent[], other: AuditEvent[]): AuditEvent[] {
  return [...one, ...other].sort((a, b) => (a.id < b.id ? 1 : -1));
}

/**
 * The events that arrived since the list was read, newest first; while `isHeld`, they wait. After an interruption the browser
 * sends the last ID it received, and the stream resumes there. Events stored before the stream opened are fetched separately.
 * `since` is the start of the range that the figures count; new figures are in the live state.
 */
export function useLiveEvents(
  filters: string | null,
  isHeld: boolean,
  { newest, known }: Known,
  since: string | undefined,
) {
  const [state, change] = useReducer(arrivals, nothing);
  const held = useRef(isHeld);
  const first = useRef({ newest, known });
  useEffect(() => {
    held.current = isHeld;
    if (!isHeld) change({ kind: "release" });
  }, [isHeld]);
  useEffect(() => {
    if (filters === null) return;
    const come = (events: AuditEvent[]) => {
      const others = events.filter(({ id }) => !first.current.known.has(id));
      change({ kind: "came", events: others, isHeld: held.current });
    };
    let isOpen = true;
    let close = () => {};
    void import("@/components/audit-logs/events/listen").then(({ listen }) => {
      if (!isOpen) return;
      const connect = (connection: Connection) => change({ kind: "connection", connection });
      close = listen({ filters, since, newest: first.current.newest, atMost: MAX_KEPT, come, connect });
    });
    return () => {
      isOpen = false;
      close();
      change({ kind: "end" });
      setLiveState(null);
    };
  }, [filters, since]);
  const release = useCallback(() => change({ kind: "release" }), []);
  return {
    arrived: state.shown,
    waiting: state.waiting.length + state.uncounted,
    /** Whether only a reload of the list shows the waiting entries. */
    isFull: state.uncounted > 0,
    connection: state.connection,
    release,
  };
}
