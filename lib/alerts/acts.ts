import type { AlertState } from "@/lib/alerts/alert-state";

/** Silences repeats until it rises. Times in Unix milliseconds. */
export function acknowledge(alert: AlertState, by: string, now: number): AlertState {
  return { ...alert, acknowledgedAt: now, acknowledgedBy: by };
}

/** Silences all of it until then. */
export function snooze(alert: AlertState, until: number): AlertState {
  return { ...alert, snoozedUntil: until };
}

/** Ends it although its cause may last: then it stays ended until the cause was gone, or grows. */
export function resolveByHand(alert: AlertState, now: number): AlertState {
  const isMuted = alert.absentSince === null;
  return { ...alert, resolvedAt: now, resolvedBy: "person", isMuted, isFlapping: false, snoozedUntil: null };
}
