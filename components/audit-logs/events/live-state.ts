"use client";

import { useSyncExternalStore } from "react";
import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";

/** The state of the live list for the rest of the page. */
interface LiveState {
  /** The newest figures; null before the first. */
  stats: AuditStats | null;
  /** Whether the session has ended, so that nothing more arrives. */
  isOver: boolean;
}

const initial: LiveState = { stats: null, isOver: false };
let state = initial;
const listeners = new Set<() => void>();

/** Changes the state; null resets it. */
export function setLiveState(changes: Partial<LiveState> | null): void {
  state = changes === null ? initial : { ...state, ...changes };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => initial,
  );
}
