import { setTimeout as delay } from "node:timers/promises";
import type { Api } from "@/e2e/support/api";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { newId } from "@/lib/ids";

/** As long as a client should wait before it tries again, and not so long that a test would notice. */
const RETRY_MS = 200;

/** What a client knows of the requests it has sent, each of which has a path of its own. */
export class RequestLedger {
  /** Ids of those that were served, though that there is nothing at their path, in order. */
  readonly served: string[] = [];
  isDone = false;
  private readonly marker = newId();
  private sent = 0;

  constructor(private readonly api: Api) {}

  /** Sends one after the other until so many were served. */
  async send(count: number): Promise<void> {
    while (this.served.length < count) {
      try {
        const { status, requestId } = await this.api.get(`/nowhere/${this.marker}/${this.sent++}`);
        if (status === 404) this.served.push(requestId);
      } catch {
        // Unanswered: it has one event or none.
      }
      await delay(RETRY_MS);
    }
    this.isDone = true;
  }

  /** All events of its requests. */
  events(server: Sealwatch): Promise<{ id: string; path: string }[]> {
    const text = "SELECT id, path FROM audit_events WHERE path LIKE $1";
    return query(server, "audit", text, [`/api/v1/nowhere/${this.marker}/%`]);
  }
}
