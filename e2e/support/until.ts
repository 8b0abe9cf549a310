import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 25;
/** Long, so that only real failures reach it: other load on the machine must not fail a test. */
const DEADLINE_MS = 120_000;

/**
 * Calls `condition` until its result is neither false, null nor undefined, and returns it. Throws after `deadlineMs`, with the last
 * error. Tests wait for conditions, never for time.
 */
export async function until<Value>(
  what: string,
  condition: () => Promise<Value | false | null | undefined> | Value | false | null | undefined,
  deadlineMs = DEADLINE_MS,
): Promise<Value> {
  const giveUp = performance.now() + deadlineMs;
  let failure: unknown;
  do {
    try {
      const value = await condition();
      if (value !== false && value !== null && value !== undefined) return value;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    await delay(POLL_MS);
  } while (performance.now() < giveUp);
  throw new Error(`Not within ${deadlineMs} ms: ${what}`, { cause: failure });
}
