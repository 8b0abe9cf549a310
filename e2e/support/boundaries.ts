import { setTimeout as delay } from "node:timers/promises";

/**
 * Lets the end of an hour or a day (UTC) pass if less than `roomMs` is left of it, so that it does not come between two steps of a test
 * whose results depend on it. Call it before the test's first `Date.now()`.
 */
export async function clearOfBoundary(periodMs: number, roomMs: number): Promise<void> {
  const left = periodMs - (Date.now() % periodMs);
  if (left < roomMs) await delay(left + 1_000);
}
