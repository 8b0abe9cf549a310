import { setTimeout as delay } from "node:timers/promises";

/** The pause between two polls, in milliseconds: it grows, so that long waits take less of the machine. */
const POLL = { first: 25, growth: 1.25, longest: 250 };
/** Long, so that only real failures reach it: other load on the machine must not fail a test. */
const DEADLINE_MS = 120_000;

/**
 * Sends a request again while the server answers 503, for requests whose slots other suites may have taken: exports, of which a server
 * runs four at a time.
 */
export function unlessBusy<Answer extends { status: number }>(send: () => Promise<Answer>): Promise<Answer> {
  return until("the server is not too busy", async () => {
    const answer = await send();
    return answer.status !== 503 && answer;
  });
}

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
  let pause = POLL.first;
  do {
    try {
      const value = await condition();
      if (value !== false && value !== null && value !== undefined) return value;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    await delay(pause);
    pause = Math.min(pause * POLL.growth, POLL.longest);
  } while (performance.now() < giveUp);
  const why = failure instanceof Error ? ` (${failure.message})` : "";
  throw new Error(`Not within ${deadlineMs} ms: ${what}${why}`, { cause: failure });
}
