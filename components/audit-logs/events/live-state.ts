"use client";

import { createStore } from "@/components/requests/store";
import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";

/** The state of the live list for the rest of the page. */
interface LiveState {
  /** The newest figures; null before the first. */
  stats: AuditStats | null;
  /** Whether the session has ended, so that nothing more arrives. */
  isOver: boolean;
}

const initial: LiveState = { stats: null, isOver: false };
const state = createStore(initial);

export const useLiveState = state.use;

/** Changes the state; null resets it. */
export function setLiveState(changes: Partial<LiveState> | null): void {
  state.set(changes === null ? initial : { ...state.get(), ...changes });
}
