import { createHash } from "node:crypto";

/**
 * `slide` for Redis: the times of a window as an ascending list, with the server's clock, atomic. If the clock is set back,
 * the latest time in the window is used until the clock has caught up. PEXPIRE comes last, because it deletes the list at once if the
 * window has passed meanwhile.
 * KEYS[1] the window; ARGV limit, window in ms, 1 to take or 0 to read. Returns an `Answer`.
 */
export const SCRIPT = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local key, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local function at(index)
  local time = redis.call('LINDEX', key, index)
  return time and tonumber(time)
end
now = math.max(now, at(-1) or 0)
local first = at(0)
while first and first <= now - window do
  redis.call('LPOP', key)
  first = at(0)
end
local used = redis.call('LLEN', key)
local admitted = used < limit
local taken = admitted and ARGV[3] == '1'
if taken then used = redis.call('RPUSH', key, string.format('%d', now)) end
local free = used < limit and 0 or at(used - limit) + window - now
local full = used == 0 and 0 or at(-1) + window - now
if taken then redis.call('PEXPIRE', key, window) end
return {admitted and 1 or 0, used, free, full, now}
`;

export const SCRIPT_SHA = createHash("sha1").update(SCRIPT).digest("hex");

/** Runs `evalsha`, or `evaluate` with the script's text if the server does not have the script, for example after a restart. */
export async function evalshaOrEval<Data>(evalsha: () => Promise<Data>, evaluate: () => Promise<Data>): Promise<Data> {
  try {
    return await evalsha();
  } catch (error) {
    if (!(error instanceof Error && error.message.includes("NOSCRIPT"))) throw error;
    return evaluate();
  }
}
