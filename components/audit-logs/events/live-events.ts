"use client";

import { useCallback, useEffect, useReducer, useRef } from "react";
import { readNextPage } from "@/components/audit-logs/events/read-page";
import type { AuditEvent } from "@/lib/audit-logs/contract";

/** A page left open must not grow forever: beyond this number, new entries are only counted. */
const MAX_KEPT = 5_000;

/** The longest delay with which the entry of a slow request arrives after newer entries. */
const MAX_ARRIVAL_DELAY_MS = 60_000;

interface Arrivals {
  /** Newest first. */
  shown: AuditEvent[];
  waiting: AuditEvent[];
  /** Number of entries that arrived beyond the limit: only a reload of the list shows them. */
  uncounted: number;
  isCut: boolean;
}

/** The state of the list when it was read. */
interface Known {
  /** The time of the newest entry, or the time of the read if the list was empty. RFC 3339. */
  newest: string;
  known: ReadonlySet<string>;
}

type Change =
  | { kind: "came"; events: AuditEvent[]; isHeld: boolean }
  | { kind: "release" }
  | { kind: "cut"; isCut: boolean }
  | { kind: "end" };

const nothing: Arrivals = { shown: [], waiting: [], uncounted: 0, isCut: false };

/** Exported for its test. */
export function arrivals(before: Arrivals, change: Change): Arrivals {
  if (change.kind === "end") return nothing;
  if (change.kind === "cut") return { ...before, isCut: change.isCut };
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

/** Fetches the entries that were stored before the stream opened. After a failure, a reload of the list shows them. */
async function catchUp(query: Record<string, string>, come: (events: AuditEvent[]) => unknown): Promise<void> {
  let cursor: string | null | undefined;
  let left = MAX_KEPT;
  while (cursor !== null && left > 0) {
    const page = await readNextPage({ query, cursor }).catch(() => null);
    if (page === null) return;
    come(page.events);
    cursor = page.cursor;
    left -= page.events.length;
  }
}

function merged(one: AuditEvent[], other: AuditEvent[]): AuditEvent[] {
  return [...one, ...other].sort((a, b) => (a.id < b.id ? 1 : -1));
}

/**
 * The events that arrived since the list was read, newest first; while `isHeld`, they wait. After an interruption the browser
 * sends the last ID it received, and the stream resumes there. Events stored before the stream opened are fetched separately.
 */
export function useLiveEvents(filters: string | null, isHeld: boolean, { newest, known }: Known) {
  const [state, change] = useReducer(arrivals, nothing);
  const held = useRef(isHeld);
  const first = useRef({ newest, known });
  useEffect(() => {
    held.current = isHeld;
    if (!isHeld) change({ kind: "release" });
  }, [isHeld]);
  useEffect(() => {
    if (filters === null) return;
    const source = new EventSource(`/api/v1/audit-logs/stream?${filters}`);
    const come = (events: AuditEvent[]) => {
      const others = events.filter(({ id }) => !first.current.known.has(id));
      change({ kind: "came", events: others, isHeld: held.current });
    };
    let isOpen = true;
    let hasCaughtUp = false;
    source.addEventListener("open", () => {
      change({ kind: "cut", isCut: false });
      if (hasCaughtUp) return;
      hasCaughtUp = true;
      const from = new Date(Date.parse(first.current.newest) - MAX_ARRIVAL_DELAY_MS).toISOString();
      const query = { ...Object.fromEntries(new URLSearchParams(filters)), order: "asc", since: from, limit: "200" };
      void catchUp(query, (events) => isOpen && come(events));
    });
    source.addEventListener("error", () => change({ kind: "cut", isCut: true }));
    source.addEventListener("audit_event", ({ data }: MessageEvent<string>) => come([JSON.parse(data) as AuditEvent]));
    return () => {
      isOpen = false;
      source.close();
      change({ kind: "end" });
    };
  }, [filters]);
  const release = useCallback(() => change({ kind: "release" }), []);
  return {
    arrived: state.shown,
    waiting: state.waiting.length + state.uncounted,
    /** Whether only a reload of the list shows the waiting entries. */
    isFull: state.uncounted > 0,
    isCut: state.isCut,
    release,
  };
}
