"use client";

import { useSyncExternalStore } from "react";
import { isRequestFailed } from "@/components/states/failure";

let hasEnded = false;
const listeners = new Set<() => void>();

function publish(next: boolean) {
  hasEnded = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the dialog for an expired session if that is why a request failed. */
export function noticeSessionEnd(error: unknown): void {
  if (isRequestFailed(error) && error.code === "UNAUTHENTICATED") publish(true);
}

export function dismissSessionEnd(): void {
  publish(false);
}

/** Whether a request of this page has found the session to be over. */
export function useSessionEnd(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => hasEnded,
    () => false,
  );
}
