import { setTimeout as delay } from "node:timers/promises";

/** What `work` resolves with, or null if it takes longer than `limitMs`. It goes on then, and its failure is ignored. */
export async function inTime<Result>(work: Promise<Result>, limitMs: number): Promise<Result | null> {
  const over = new AbortController();
  const late = delay(limitMs, null, { signal: over.signal, ref: false }).catch(() => null);
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}
