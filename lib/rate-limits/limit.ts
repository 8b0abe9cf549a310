import { Ratelimit } from "@upstash/ratelimit";
import ipaddr from "ipaddr.js";
import { ApiError, UNAVAILABLE_SECONDS } from "@/lib/http/errors";
import { type Group, groupLimits } from "@/lib/http/groups";
import { processSingleton } from "@/lib/process-singleton";
import { openStore } from "@/lib/rate-limits/open-store";
import { SCRIPT_SHA } from "@/lib/rate-limits/script";
import type { Store } from "@/lib/rate-limits/store";
import { WINDOW_MS } from "@/lib/rate-limits/window";

/** The state of a rate limit after a request, as shown in the response headers. */
export interface RateLimit {
  admitted: boolean;
  limit: number;
  remaining: number;
  /** Unix time in whole seconds at which the full limit is available again if no more requests are sent. */
  reset: number;
  /** The same in whole seconds from now, by the clock of the store. */
  resetAfter: number;
  /** Whole seconds after which the next request is admitted; 0 while there is room. */
  retryAfter: number;
}

type Algorithm = ConstructorParameters<typeof Ratelimit>[0]["limiter"];

async function ask(store: Store, key: string, limit: number, take: boolean) {
  const args = [String(limit), String(WINDOW_MS), take ? "1" : "0"];
  const [admitted, used, freeInMs, fullInMs, now] = await store.evalsha(SCRIPT_SHA, [key], args);
  return {
    success: admitted === 1,
    limit,
    remaining: Math.max(0, limit - used),
    reset: now + fullInMs,
    fullInMs,
    retryAfterMs: freeInMs,
    pending: Promise.resolve(),
  };
}

/** An exact sliding window: N requests in any 60 seconds. `@upstash/ratelimit`'s own sliding window is an estimate from two counters. */
function exactWindow(limit: number): Algorithm {
  return () => ({
    limit: (context, key) => ask(context.redis, key, limit, true),
    getRemaining: (context, key) => ask(context.redis, key, limit, false),
    resetTokens: async () => {},
  });
}

/** Replaces every limit. Benchmarks and fuzz tests preset it (e2e/support/servers/lift-limits.mjs); no setting does. */
const preset = processSingleton("rate-limits.preset", (): { limit?: number } => ({}));

/** Requests per key in any 60 seconds. */
export function limitOf(group: Group): number {
  return preset.limit ?? groupLimits[group];
}

function limiter(name: string, limit: number): Ratelimit {
  return processSingleton(`rate-limits.${name}.${limit}`, () => {
    return new Ratelimit({
      redis: openStore() as Store as ConstructorParameters<typeof Ratelimit>[0]["redis"],
      limiter: exactWindow(limit),
      prefix: `sealwatch:${name}`,
      ephemeralCache: false,
      timeout: 0,
    });
  });
}

/** Counts one request of `identity` (a key's id or an address) against its group, or only reads the limit (`take` false). */
export function checkRateLimit(group: Group, identity: string, take: boolean): Promise<RateLimit> {
  return checkWindow(group, limitOf(group), identity, take);
}

/** Like `checkRateLimit`, for any window: `limit` requests of `identity` in 60 seconds, counted separately for each `name`. */
export async function checkWindow(name: string, limit: number, identity: string, take: boolean): Promise<RateLimit> {
  const window = limiter(name, preset.limit ?? limit);
  const answer = take ? await window.limit(identity) : await window.getRemaining(identity);
  // Ratelimit returns the algorithm's full result, but its types include only a part.
  const { success, fullInMs, retryAfterMs } = answer as Awaited<ReturnType<typeof ask>>;
  return {
    admitted: success,
    limit: answer.limit,
    remaining: answer.remaining,
    reset: Math.ceil(answer.reset / 1000),
    resetAfter: Math.ceil(fullInMs / 1000),
    retryAfter: Math.ceil(retryAfterMs / 1000),
  };
}

/** The error for a request that was not admitted. */
export function rateLimited({ limit, retryAfter }: RateLimit): ApiError {
  const message = `The rate limit of ${limit} requests per minute is exceeded. Retry in ${retryAfter} s.`;
  return new ApiError("RATE_LIMITED", message, { retry_after: retryAfter });
}

/** The identity of a request without a key. IPv6 hosts commonly have a whole /64 of addresses (RFC 6177). */
export function limitedAddress(address: string | null): string {
  if (address === null) return "unknown";
  return address.includes(":") ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64` : address;
}

/** The limit of a caller who could not be identified or counted: nothing is left until the 503 may be tried again. */
export function unknownLimit(group: Group): RateLimit {
  const [limit, seconds] = [limitOf(group), UNAVAILABLE_SECONDS];
  const reset = Math.ceil(Date.now() / 1000) + seconds;
  return { admitted: false, limit, remaining: 0, reset, resetAfter: seconds, retryAfter: seconds };
}

/** The limit of exempt requests: the group's full limit. */
export function fullLimit(group: Group): RateLimit {
  const limit = limitOf(group);
  return { admitted: true, limit, remaining: limit, reset: Math.ceil(Date.now() / 1000), resetAfter: 0, retryAfter: 0 };
}
