import { Ratelimit } from "@upstash/ratelimit";
import ipaddr from "ipaddr.js";
import { config } from "@/lib/config";
import { ApiError } from "@/lib/http/errors";
import { type Group, groupLimits } from "@/lib/http/groups";
import { processSingleton } from "@/lib/process-singleton";
import { openStore } from "@/lib/rate-limits/open-store";
import { SCRIPT_SHA } from "@/lib/rate-limits/script";
import type { Store } from "@/lib/rate-limits/store";
import { WINDOW_MS } from "@/lib/rate-limits/window";

/** How a request stands with its limit, as the response headers tell it. */
export interface RateLimit {
  admitted: boolean;
  limit: number;
  remaining: number;
  /** Unix time in whole seconds at which the full allowance is back if nothing more is sent. */
  reset: number;
  /** Whole seconds after which one more is admitted; 0 while there is room. */
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
    retryAfterMs: freeInMs,
    pending: Promise.resolve(),
  };
}

/** `@upstash/ratelimit`'s own sliding window estimates from two counters; this one counts, so N is N in any 60 seconds. */
function exactWindow(limit: number): Algorithm {
  return () => ({
    limit: (context, key) => ask(context.redis, key, limit, true),
    getRemaining: (context, key) => ask(context.redis, key, limit, false),
    resetTokens: async () => {},
  });
}

/** Requests per key in any 60 seconds; a bench has its own. */
export function limitOf(group: Group): number {
  return config().BENCH_RATE_LIMIT ?? groupLimits[group];
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

/** Counts one request of `identity` (a key's id, or an address) against its group, or only looks (`take` false). */
export function checkRateLimit(group: Group, identity: string, take: boolean): Promise<RateLimit> {
  return checkWindow(group, limitOf(group), identity, take);
}

/** The same of any window: `limit` requests of `identity` in 60 seconds, apart from what other names count. */
export async function checkWindow(name: string, limit: number, identity: string, take: boolean): Promise<RateLimit> {
  const window = limiter(name, limit);
  const answer = take ? await window.limit(identity) : await window.getRemaining(identity);
  // Ratelimit hands on what the algorithm answers, of which its types know only a part.
  const { success, retryAfterMs } = answer as Awaited<ReturnType<typeof ask>>;
  return {
    admitted: success,
    limit: answer.limit,
    remaining: answer.remaining,
    reset: Math.ceil(answer.reset / 1000),
    retryAfter: Math.ceil(retryAfterMs / 1000),
  };
}

/** The refusal of a request that was not admitted. */
export function rateLimited({ limit, retryAfter }: RateLimit): ApiError {
  const message = `The limit of ${limit} requests per minute is used up. Retry in ${retryAfter} s.`;
  return new ApiError("RATE_LIMITED", message, { retry_after: retryAfter });
}

/** Whom a request without a key is counted as. An IPv6 host commonly has a whole /64 to choose its address from (RFC 6177). */
export function limitedAddress(address: string | null): string {
  if (address === null) return "unknown";
  return address.includes(":") ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64` : address;
}

/** What exempt requests show: the group's limit, undiminished. */
export function fullLimit(group: Group): RateLimit {
  const limit = limitOf(group);
  return { admitted: true, limit, remaining: limit, reset: Math.ceil(Date.now() / 1000), retryAfter: 0 };
}
