import { DAY_MS } from "@/lib/time/units";

const FIRST_VISIT_DAYS = 7;
/** The overview shows at most this much history; the page of security events has the rest. */
const MAX_DAYS = 30;

/** The time that the overview looks back on. */
export interface Lookback {
  /** Unix milliseconds. */
  since: number;
  /** A previous visit within reach, or else a number of days. */
  from: { visit: Date } | { days: number };
}

/** From a member's previous visit to now: 7 days if there was none, and at most 30. `now` in Unix milliseconds. */
export function lookbackOf(visit: Date | null, now: number): Lookback {
  if (visit !== null && visit.getTime() >= now - MAX_DAYS * DAY_MS) return { since: visit.getTime(), from: { visit } };
  const days = visit === null ? FIRST_VISIT_DAYS : MAX_DAYS;
  return { since: now - days * DAY_MS, from: { days } };
}
