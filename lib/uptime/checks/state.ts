/** A monitor's state between checks. */
export interface State {
  status: "pending" | "up" | "down";
  /** Consecutive failed checks, and consecutive successful checks. */
  failures: number;
  successes: number;
}

export interface Thresholds {
  failureThreshold: number;
  recoveryThreshold: number;
}

/** The incident change that a check caused. */
export type Turn = "opened" | "closed" | null;

/**
 * The state after one more check: down after `failureThreshold` consecutive failures, up again after `recoveryThreshold`
 * consecutive successes. The first success of a new monitor makes it up. A failure during maintenance changes nothing.
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

/** Whether `at` (Unix milliseconds) is within the window or one of its repetitions. Ends are exclusive. */
export function isWithin({ startsAt, endsAt, repeat }: Maintenance, at: number): boolean {
  const since = at - startsAt.getTime();
  if (since < 0) return false;
  const period = PERIOD_MS[repeat];
  return (period === undefined ? since : since % period) < endsAt.getTime() - startsAt.getTime();
}

/** The next check moves earlier or later by up to this share of the interval. */
const JITTER = 0.05;

/**
 * When to check next. While the state is undecided (failing but not yet down, or recovering), after a tenth of the interval, but
 * at least 5 s. `random` is from 0 to 1.
 */
export function nextCheckAt(state: State, intervalSeconds: number, now: Date, random: number): Date {
  const isUndecided = state.status === "down" ? state.successes > 0 : state.failures > 0;
  const seconds = isUndecided ? Math.min(intervalSeconds, Math.max(5, intervalSeconds / 10)) : intervalSeconds;
  return new Date(now.getTime() + seconds * 1000 * (1 + JITTER * (2 * random - 1)));
}

/** Seconds that a heartbeat may be due before it is leased. A worker takes about one. */
const MAX_OVERDUE_SECONDS = 60;

/** Whether a monitor is a heartbeat that became due while no worker ran: nobody knows whether its job called meanwhile. */
export function isDueSinceAbsence({ type, overdueSeconds }: { type: string; overdueSeconds: number }): boolean {
  return type === "heartbeat" && overdueSeconds > MAX_OVERDUE_SECONDS;
}

/** When a call at `now` is recorded: after the previous check, also if that was recorded by a process whose clock is ahead. */
export function callAt(now: Date, lastCheckedAt: Date | null): Date {
  return new Date(Math.max(now.getTime(), (lastCheckedAt?.getTime() ?? 0) + 1));
}

/** In maintenance, a late heartbeat is looked at again after so long. */
const UNNOTICED_SECONDS = 300;

/** When a heartbeat is late: its period and grace after a call. A late heartbeat counts as failed once per period. */
export function nextCallBy(
  { at, ok, maintenance }: { at: Date; ok: boolean; maintenance: boolean },
  { interval_seconds, grace_seconds }: { interval_seconds: number; grace_seconds: number },
): Date {
  const unnoticed = Math.min(interval_seconds, UNNOTICED_SECONDS);
  const seconds = ok ? interval_seconds + grace_seconds : maintenance ? unnoticed : interval_seconds;
  return new Date(at.getTime() + seconds * 1000);
}

/** How a heartbeat waits: its deadline, period and grace. */
interface Waiting {
  nextCheckAt: Date;
  intervalSeconds: number;
  graceSeconds: number;
}

/** The deadline of a heartbeat whose period and grace change: moved by the change, but from the future not into the past. */
export function movedDeadline(
  { nextCheckAt, intervalSeconds, graceSeconds }: Waiting,
  { interval_seconds, grace_seconds }: { interval_seconds: number; grace_seconds: number },
  now: Date,
): Date {
  const seconds = interval_seconds + grace_seconds - intervalSeconds - graceSeconds;
  const earliest = Math.min(now.getTime(), nextCheckAt.getTime());
  return new Date(Math.max(earliest, nextCheckAt.getTime() + seconds * 1000));
}
