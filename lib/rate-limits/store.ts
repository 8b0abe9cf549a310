/**
 * A store's answer: whether the request was admitted (1 or 0), requests in the window, milliseconds until the next request is
 * admitted and until the full limit is available again, and the store's Unix time in milliseconds.
 */
export type Answer = [admitted: number, used: number, freeInMs: number, fullInMs: number, now: number];

/**
 * The part of a Redis client that `Ratelimit` and our algorithm use; every store implements it. The first three `args` are used:
 * limit, window in milliseconds, "1" to take or "0" to read.
 */
export interface Store {
  /** Resolves when the store's library is loaded. */
  loaded?: Promise<unknown>;
  evalsha(sha: string, keys: string[], args: string[]): Promise<Answer>;
}
