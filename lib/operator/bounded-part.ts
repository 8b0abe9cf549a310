import { setTimeout as delay } from "node:timers/promises";

/** Longer than the statements take that it waits for, so that a hanging database takes away only its own figures; in milliseconds. */
const LIMIT_MS = 5_000;

/** A part of the operator's page: what was read, or null if it failed or was late, so that the other parts are shown. */
export async function boundedPart<Result>(read: () => Promise<Result>): Promise<Result | null> {
  const over = new AbortController();
  const late = delay(LIMIT_MS, null, { signal: over.signal, ref: false }).catch(() => null);
  try {
    // The pools log why a database cannot be read.
    return await Promise.race([read().catch(() => null), late]);
  } finally {
    over.abort();
  }
}
