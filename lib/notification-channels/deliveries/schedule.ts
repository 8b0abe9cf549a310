/** Milliseconds to wait after the first, second, … failed attempt. */
const WAITS = [10_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000, 21_600_000];
/** Waits vary by up to this share in either direction, so that failed messages do not retry all at the same time. */
const JITTER = 0.2;

/** Attempts before a delivery is given up, about nine hours after the first. */
export const MAX_ATTEMPTS = WAITS.length + 1;

/** Consecutive failed deliveries after which their channel is disabled. */
export const MAX_FAILURES = 3;

/** Seconds to wait after `attempts` failures, but as long as the provider asks for; null to give up. `random` is from 0 to 1. */
export function secondsToRetry(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return null;
  return Math.max(wait * (1 + JITTER * (2 * random - 1)), retryAfterMs ?? 0) / 1000;
}
