/** Where a monitor stands between checks. */
export interface State {
  status: "pending" | "up" | "down";
  /** Checks in a row that failed, or did not. */
  failures: number;
  successes: number;
}

export interface Thresholds {
  failureThreshold: number;
  recoveryThreshold: number;
}

/** What a check changed: an incident begins, or is over. */
export type Turn = "opened" | "closed" | null;

/**
 * The state after one more check. Down after `failureThreshold` failures in a row, up again after `recoveryThreshold` successes in a row;
 * a monitor that has never been judged is up with its first success. In maintenance a failure changes nothing.
 */
export function step(
  before: State,
  check: { ok: boolean; maintenance: boolean },
  { failureThreshold, recoveryThreshold }: Thresholds,
): { after: State; turn: Turn } {
  if (check.maintenance && !check.ok) return { after: { ...before, successes: 0 }, turn: null };
  const failures = check.ok ? 0 : before.failures + 1;
  const successes = check.ok ? before.successes + 1 : 0;
  if (before.status !== "down" && failures >= failureThreshold) {
    return { after: { status: "down", failures, successes }, turn: "opened" };
  }
  if (before.status === "down" && successes >= recoveryThreshold) {
    return { after: { status: "up", failures, successes }, turn: "closed" };
  }
  const status = before.status === "pending" && check.ok ? "up" : before.status;
  return { after: { status, failures, successes }, turn: null };
}

export interface Maintenance {
  startsAt: Date;
  endsAt: Date;
  repeat: string;
}

const PERIOD_MS: Record<string, number> = { daily: 86_400_000, weekly: 7 * 86_400_000 };

/** Whether `at` (Unix milliseconds) lies in the window or in one of its repetitions. Ends are exclusive. */
export function isWithin({ startsAt, endsAt, repeat }: Maintenance, at: number): boolean {
  const since = at - startsAt.getTime();
  if (since < 0) return false;
  const period = PERIOD_MS[repeat];
  return (period === undefined ? since : since % period) < endsAt.getTime() - startsAt.getTime();
}

/** Spread of the phase: of an interval, up to this share earlier or later. */
const JITTER = 0.05;

/** When to check next. While it fails but is not yet down, or recovers, sooner: a tenth of the interval, from 5 s on. `random` is from 0 to 1. */
export function nextCheckAt(state: State, intervalSeconds: number, now: Date, random: number): Date {
  const isUndecided = state.status === "down" ? state.successes > 0 : state.failures > 0;
  const seconds = isUndecided ? Math.min(intervalSeconds, Math.max(5, intervalSeconds / 10)) : intervalSeconds;
  return new Date(now.getTime() + seconds * 1000 * (1 + JITTER * (2 * random - 1)));
}
