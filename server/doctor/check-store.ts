import { Redis } from "ioredis";
import { config, sharedStore } from "@/lib/config";
import { redisTls } from "@/lib/rate-limits/redis-tls";
import { SCRIPT, SCRIPT_SHA } from "@/lib/rate-limits/script";
import { UpstashStore } from "@/lib/rate-limits/upstash-store";
import { type Finding, ok } from "@/server/doctor/check";

export const STORE_CHECK = "rate-limit store";
const CONNECT_TIMEOUT_MS = 5_000;
/** A window that nobody uses, read and not changed: as many requests per milliseconds. */
const READ = { key: "sealwatch:doctor", args: ["1", "1000", "0"] };

/** Whether the store runs the script that counts. Throws the store's error. */
export async function checkStore(): Promise<Finding[]> {
  const { REDIS_URL, UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN } = config();
  if (REDIS_URL) await askRedis(REDIS_URL);
  else if (UPSTASH_REDIS_REST_URL && UPSTASH_REDIS_REST_TOKEN)
    await new UpstashStore(UPSTASH_REDIS_REST_URL, UPSTASH_REDIS_REST_TOKEN).evalsha(SCRIPT_SHA, [READ.key], READ.args);
  else return [ok(STORE_CHECK, "none: the single web process counts in memory")];
  return [ok(STORE_CHECK, `${sharedStore(config())} counts`)];
}

async function askRedis(url: string): Promise<void> {
  const store = new Redis(url, {
    ...redisTls(url),
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  let reason: Error | undefined;
  store.on("error", (error: Error) => {
    reason ??= error;
  });
  try {
    await store.connect();
    await store.eval(SCRIPT, 1, READ.key, ...READ.args);
  } catch (error) {
    throw reason ?? error;
  } finally {
    store.disconnect();
  }
}
