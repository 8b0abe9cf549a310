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

export function dismissSessionEnd(): void {
  hasEnded.set(false);
}
