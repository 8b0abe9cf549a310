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
 * consecutive successes. The first success of a new monitor makes it up. A failure during maintenance does not change the status, and
 * failures before it no longer count.
 */
export function step(
  before: State,
  check: { ok: boolean; maintenance: boolean },
  { failureThreshold, recoveryThreshold }: Thresholds,
): { after: State; turn: Turn } {
  if (check.maintenance && !check.ok) {
    return { after: { ...before, failures: before.status === "down" ? before.failures : 0, successes: 0 }, turn: null };
  }
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
 * Seconds until the next check. While the state is undecided (failing but not yet down, or recovering), a tenth of the interval, but at
 * least 5 s. `random` is from 0 to 1.
 */
export function secondsToNextCheck(state: State, intervalSeconds: number, random: number): number {
  const isUndecided = state.status === "down" ? state.successes > 0 : state.failures > 0;
  const seconds = isUndecided ? Math.min(intervalSeconds, Math.max(5, intervalSeconds / 10)) : intervalSeconds;
  return seconds * (1 + JITTER * (2 * random - 1));
}

/** Seconds that a heartbeat may be due before it is leased. A worker takes about one. */
const MAX_OVERDUE_SECONDS = 60;

/**
 * Whether a monitor is a heartbeat that became due while no worker ran: nobody knows whether its job called meanwhile. For the last
 * `watchedSeconds` a worker leased monitors without a pause; it has not leased this one because others were due before.
 */
export function isDueSinceAbsence(
  { type, overdueSeconds }: { type: string; overdueSeconds: number },
  watchedSeconds: number,
): boolean {
  return type === "heartbeat" && overdueSeconds - watchedSeconds > MAX_OVERDUE_SECONDS;
}

/** Jobs may call earlier in their periods than the time before, as after a shorter run. In seconds. */
const MAX_EARLY_SECONDS = 300;

/** How a heartbeat could be called before its deadline. */
interface Callable {
  type: string;
  intervalSeconds: number;
  graceSeconds: number;
  /** Seconds from when web processes ran without a pause to the deadline; null if none runs. */
  callableSeconds: number | null;
  /** Another process has judged it already. */
  wasFoundLate: boolean;
}

/**
 * Whether a monitor is a heartbeat whose call may have met no web process: none runs, or the last outage ended only around the end of the
 * period, when the job calls.
 */
export function wasUncallable(monitor: Callable): boolean {
  const { type, intervalSeconds, graceSeconds, callableSeconds, wasFoundLate } = monitor;
  const needed = graceSeconds + Math.min(intervalSeconds, MAX_EARLY_SECONDS);
  return type === "heartbeat" && !wasFoundLate && (callableSeconds === null || callableSeconds < needed);
}

/** When a process leased monitors, in Unix milliseconds: first without a longer pause than a heartbeat may be due, and last. */
export interface Watch {
  since: number;
  last: number;
}

/** The watch after another lease at `now`. It begins again after a pause, also of the whole machine, and if the clock was changed. */
export function watchAt(before: Watch | null, now: number): Watch {
  const isPaused = before === null || Math.abs(now - before.last) > MAX_OVERDUE_SECONDS * 1000;
  return { since: isPaused ? now : before.since, last: now };
}

/** When a call at `now` is recorded: after the previous check, also if that was recorded by a process whose clock is slightly ahead. */
export function callAt(now: Date, lastCheckedAt: Date | null): Date {
  return new Date(Math.max(now.getTime(), (lastCheckedAt?.getTime() ?? 0) + 1));
}

/**
 * Seconds after which a heartbeat is late: its period and grace after a call, or after a deadline in maintenance, which excuses the
 * missed call. A late heartbeat counts as failed once per period.
 */
export function secondsToNextCall(
  { ok, maintenance }: { ok: boolean; maintenance: boolean },
  { interval_seconds, grace_seconds }: { interval_seconds: number; grace_seconds: number },
): number {
  return ok || maintenance ? interval_seconds + grace_seconds : interval_seconds;
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
