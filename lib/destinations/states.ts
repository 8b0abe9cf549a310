/** The states of a destination. */
export const destinationStates = ["unused", "working", "failing", "paused"] as const;
export type DestinationState = (typeof destinationStates)[number];

interface Row {
  pausedAt: Date | null;
  failures: number;
  lastSentAt: Date | null;
}

export function stateOf({ pausedAt, failures, lastSentAt }: Row): DestinationState {
  if (pausedAt !== null) return "paused";
  if (failures > 0) return "failing";
  return lastSentAt === null ? "unused" : "working";
}

/** The same of a row of `destinations` in SQL. */
export const STATE_SQL =
  "CASE WHEN paused_at IS NOT NULL THEN 'paused' WHEN failures > 0 THEN 'failing' WHEN last_sent_at IS NULL THEN 'unused' ELSE 'working' END";
