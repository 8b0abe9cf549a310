/** Milliseconds to wait after the first, second, … failed attempt. */
const WAITS = [10_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000, 21_600_000];
/** Waits differ by up to this share in either direction, so that what failed together does not come back together. */
const JITTER = 0.2;

/** Attempts after which a delivery is given up, about nine hours after the first. */
export const MAX_ATTEMPTS = WAITS.length + 1;

/** Deliveries in a row that are given up before their channel is disabled. */
export const MAX_FAILURES = 3;

/** When to try again after `attempts` failed ones; null to give up. Not before the provider asked for. `random` is from 0 to 1. */
export function retryAt(attempts: number, retryAfterMs: number | null, now: Date, random: number): Date | null {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return null;
  return new Date(now.getTime() + Math.max(wait * (1 + JITTER * (2 * random - 1)), retryAfterMs ?? 0));
}
