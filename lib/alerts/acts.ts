import type { AlertState } from "@/lib/alerts/alert-state";

/** Stops repeats until the alert is raised. Times in Unix milliseconds. */
export function acknowledge(alert: AlertState, by: string, now: number): AlertState {
  return { ...alert, acknowledgedAt: now, acknowledgedBy: by };
}

/** Stops all notifications until then. */
export function snooze(alert: AlertState, until: number): AlertState {
  return { ...alert, snoozedUntil: until };
}

/** Resolves an alert even if its cause persists. It then stays resolved until the cause has ended once or gets worse. */
export function resolveByHand(alert: AlertState, now: number): AlertState {
  const isMuted = alert.absentSince === null;
  return { ...alert, resolvedAt: now, resolvedBy: "person", isMuted, isFlapping: false, snoozedUntil: null };
}
