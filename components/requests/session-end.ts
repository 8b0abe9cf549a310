"use client";

import { createStore } from "@/components/requests/store";
import { isSessionOver } from "@/components/states/failure";

const hasEnded = createStore(false);

/** Whether a request of this page has found the session to be over. */
export const useSessionEnd = hasEnded.use;

/** Opens the dialog for an expired session if that is why a request failed. */
export function noticeSessionEnd(error: unknown): void {
  if (isSessionOver(error)) hasEnded.set(true);
}

let onReturn: (() => void) | null = null;

/** Calls `act`, instead of an earlier one, once when a page proves that the session of this page is back. */
export function whenSessionReturns(act: () => void): void {
  onReturn = act;
}

/** Closes the dialog for an expired session, because the session is back. */
export function noticeSessionReturn(): void {
  hasEnded.set(false);
  onReturn?.();
  onReturn = null;
}

export function dismissSessionEnd(): void {
  hasEnded.set(false);
}
