import { Redis } from "ioredis";
import { log } from "@/lib/log";
import { redisTls } from "@/lib/rate-limits/redis-tls";
import { evalshaOrEval, SCRIPT } from "@/lib/rate-limits/script";
import type { Answer, Store } from "@/lib/rate-limits/store";

/** Milliseconds after which a connection without a response is replaced. */
const RESPONSE_TIMEOUT_MS = 2_000;
const MAX_RECONNECT_MS = 1_000;
/** What a server answers that is a replica since a failover, or is about to be one; its address may lead to the new primary by now. */
const NOT_PRIMARY = /READONLY|LOADING|MASTERDOWN/;

/** Windows in a Redis or Valkey server, with one connection per process. Throws if the server cannot be queried immediately. */
export class RedisStore implements Store {
  private readonly client: Redis;

  constructor(url: string, timeoutMs = RESPONSE_TIMEOUT_MS) {
    this.client = new Redis(url, {
      ...redisTls(url),
      connectionName: "sealwatch",
      connectTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, MAX_RECONNECT_MS),
      // No retries: the caller has fallen back to memory by then.
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      // The command is rejected all the same.
      reconnectOnError: ({ message }) => NOT_PRIMARY.test(message),
      enableAutoPipelining: true,
    });
    this.client.on("error", ({ message }) => log.debug({ reason: message }, "the connection to Redis failed"));
  }

  async evalsha(sha: string, keys: string[], args: string[]): Promise<Answer> {
    const answer = await evalshaOrEval(
      () => this.client.evalsha(sha, keys.length, ...keys, ...args),
      () => this.client.eval(SCRIPT, keys.length, ...keys, ...args),
    );
    return answer as Answer;
  }

  close(): void {
    this.client.disconnect();
  }
}
