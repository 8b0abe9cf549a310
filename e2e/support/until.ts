import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 25;
/** Reached only by what fails: other work on the machine must not decide what passes. */
const DEADLINE_MS = 120_000;

/**
 * Asks `condition` until its answer is neither false, null nor undefined, and returns it. Throws after `deadlineMs`, with the last
 * error it met. Tests wait for conditions, never for time.
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
