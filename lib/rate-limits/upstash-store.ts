import { Redis } from "@upstash/redis";
import { evalshaOrEval, SCRIPT } from "@/lib/rate-limits/script";
import type { Answer, Store } from "@/lib/rate-limits/store";

/** Milliseconds after which a request without a response fails. */
const RESPONSE_TIMEOUT_MS = 2_000;

/** Windows at Upstash over its REST API; queries in the same turn of the event loop share a request. */
export class UpstashStore implements Store {
  private readonly client: Redis;

  constructor(url: string, token: string, timeoutMs = RESPONSE_TIMEOUT_MS) {
    this.client = new Redis({
      url,
      token,
      retry: false,
      signal: () => AbortSignal.timeout(timeoutMs),
      enableAutoPipelining: true,
      enableTelemetry: false,
      readYourWrites: false,
    });
  }

  evalsha(sha: string, keys: string[], args: string[]): Promise<Answer> {
    return evalshaOrEval(
      () => this.client.evalsha<string[], Answer>(sha, keys, args),
      () => this.client.eval<string[], Answer>(SCRIPT, keys, args),
    );
  }
}
