import { createHash } from "node:crypto";
import { slide, WINDOW_MS } from "@/lib/rate-limits/window";

/**
 * `slide` for Redis: one sorted set per window, the server's clock, atomic.
 * KEYS[1] the window; ARGV limit, window in ms, 1 to take or 0 to look. Answers {admitted, used, free in ms, full in ms}.
 */
export const SCRIPT = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local limit, window, take = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3] == '1'
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local used = redis.call('ZCARD', KEYS[1])
local admitted = used < limit
if admitted and take then
  local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2]
  if last and tonumber(last) > now then now = tonumber(last) end
  redis.call('ZADD', KEYS[1], now, now .. '-' .. clock[2] .. '-' .. used)
  redis.call('PEXPIRE', KEYS[1], window)
  used = used + 1
end
local function left(index)
  local score = redis.call('ZRANGE', KEYS[1], index, index, 'WITHSCORES')[2]
  return score and (tonumber(score) + window - now) or 0
end
return {admitted and 1 or 0, used, used < limit and 0 or left(used - limit), used == 0 and 0 or left(-1)}
`;

export const SCRIPT_SHA = createHash("sha1").update(SCRIPT).digest("hex");

/** The part of a Redis client that `Ratelimit` and our algorithm use; every store has this shape. */
export interface Store {
  evalsha<Args extends unknown[], Data>(sha: string, keys: string[], args: Args): Promise<Data>;
  get<Data>(key: string): Promise<Data | null>;
  set(key: string, value: unknown): Promise<unknown>;
}

/** One process's windows. `clock` gives milliseconds and must not go back: not the wall clock. */
export class MemoryStore implements Store {
  private readonly windows = new Map<string, number[]>();
  private swept = 0;

  constructor(private readonly clock: () => number = () => performance.now()) {}

  async evalsha<Args extends unknown[], Data>(_sha: string, keys: string[], args: Args): Promise<Data> {
    const [key = ""] = keys;
    const now = this.clock();
    this.sweep(now);
    let times = this.windows.get(key);
    if (times === undefined) {
      times = [];
      this.windows.set(key, times);
    }
    const { admitted, used, freeInMs, fullInMs } = slide(times, now, Number(args[0]), args[2] === "1");
    if (times.length === 0) this.windows.delete(key);
    return [admitted ? 1 : 0, used, freeInMs, fullInMs] as Data;
  }

  /** Forgets windows that have emptied, once per window's length: memory follows the keys in use. */
  private sweep(now: number): void {
    if (now - this.swept < WINDOW_MS) return;
    this.swept = now;
    for (const [key, times] of this.windows) {
      if ((times.at(-1) ?? 0) <= now - WINDOW_MS) this.windows.delete(key);
    }
  }

  /** Limits that change at run time would be kept here; ours are constants. */
  async get(): Promise<null> {
    return null;
  }

  async set(): Promise<null> {
    return null;
  }
}
