/**
 * What a store answers to one question: whether it admitted (1 or 0), requests in the window, after how many milliseconds
 * one more is admitted and the full allowance is back, and its own Unix time in milliseconds.
 */
export type Answer = [admitted: number, used: number, freeInMs: number, fullInMs: number, now: number];

/**
 * The part of a Redis client that `Ratelimit` and our algorithm use; every store has this shape. Of `args` the first three
 * count: limit, window in milliseconds, "1" to take or "0" to look.
 */
export interface Store {
  evalsha(sha: string, keys: string[], args: string[]): Promise<Answer>;
}
