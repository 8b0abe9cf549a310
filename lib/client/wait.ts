/** Resolves after this many milliseconds. Rejects with the signal's reason when it aborts. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/**
 * Milliseconds to wait before a repetition, `attempt` counted from 0: what the server asks for, else twice as long each time. A random
 * part keeps clients that were refused together from returning together.
 */
export function waitBefore(attempt: number, retryAfter: number | null): number {
  if (retryAfter !== null) return retryAfter * 1000 * (1 + Math.random() / 10);
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}
