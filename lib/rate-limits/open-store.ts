import { config, sharedStore } from "@/lib/config";
import { processSingleton } from "@/lib/process-singleton";
import { FallbackStore } from "@/lib/rate-limits/fallback-store";
import { MemoryStore } from "@/lib/rate-limits/memory-store";
import { RedisStore } from "@/lib/rate-limits/redis-store";
import type { Store } from "@/lib/rate-limits/store";
import { UpstashStore } from "@/lib/rate-limits/upstash-store";

/** This process's store: the configured store with memory as its fallback, or memory alone. */
export function openStore(): MemoryStore | FallbackStore {
  return processSingleton("rate-limits.store", () => {
    const own = new MemoryStore();
    const shared = connect();
    return shared === null ? own : new FallbackStore(shared, own);
  });
}

function connect(): Store | null {
  const { REDIS_URL, UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN } = config();
  if (REDIS_URL) return new RedisStore(REDIS_URL);
  if (UPSTASH_REDIS_REST_URL && UPSTASH_REDIS_REST_TOKEN) {
    return new UpstashStore(UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN);
  }
  return null;
}

/** The configured store, and whether it is available; without it, each process counts separately. */
export function storeState(): { store: "memory" | "redis" | "upstash"; available: boolean } {
  const store = openStore();
  return { store: sharedStore(config()) ?? "memory", available: !("available" in store) || store.available };
}
