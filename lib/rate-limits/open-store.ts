import { config, sharedStore } from "@/lib/config";
import { processSingleton } from "@/lib/process-singleton";
import { FallbackStore } from "@/lib/rate-limits/fallback-store";
import { MemoryStore } from "@/lib/rate-limits/memory-store";
import type { Store } from "@/lib/rate-limits/store";

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
  if (REDIS_URL) {
    return onceLoaded(import("@/lib/rate-limits/redis-store").then(({ RedisStore }) => new RedisStore(REDIS_URL)));
  }
  if (UPSTASH_REDIS_REST_URL && UPSTASH_REDIS_REST_TOKEN) {
    return onceLoaded(
      import("@/lib/rate-limits/upstash-store").then(
        ({ UpstashStore }) => new UpstashStore(UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN),
      ),
    );
  }
  return null;
}

/** A store with a library of its own, which processes without that store do not load. */
function onceLoaded(store: Promise<Store>): Store {
  // Reported by each query.
  const loaded = store.catch(() => {});
  return { loaded, evalsha: async (...query) => (await store).evalsha(...query) };
}

/** The configured store, and whether it is available; without it, each process counts separately. */
export function storeState(): { store: "memory" | "redis" | "upstash"; available: boolean } {
  const store = openStore();
  return { store: sharedStore(config()) ?? "memory", available: !("available" in store) || store.available };
}
