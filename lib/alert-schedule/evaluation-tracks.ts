/**
 * Rules about what is watched and rules about audit events are evaluated apart, so that neither waits for the database that only the
 * other one needs. Columns of `alert_evaluations`.
 */
export const evaluationTracks = {
  state: { nextAt: "next_at", leasedUntil: "leased_until" },
  events: { nextAt: "events_next_at", leasedUntil: "events_leased_until" },
} as const;

export type EvaluationTrack = keyof typeof evaluationTracks;
