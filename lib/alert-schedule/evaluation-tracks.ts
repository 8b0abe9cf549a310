/**
 * Rules about monitored state and rules about audit events are evaluated separately, so that neither waits for a database that
 * only the other needs. Names columns of `alert_evaluations`.
 */
export const evaluationTracks = {
  state: { nextAt: "next_at", leasedUntil: "leased_until" },
  events: { nextAt: "events_next_at", leasedUntil: "events_leased_until" },
} as const;

export type EvaluationTrack = keyof typeof evaluationTracks;
