import { setTimeout as delay } from "node:timers/promises";
import type { Api } from "@/e2e/support/api";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { newId } from "@/lib/ids";

/** The delay of a client before a retry, short enough for tests. */
const RETRY_MS = 200;

/** A client's record of its requests, each with its own path. */
export class RequestLedger {
  /** The ids of served requests (with 404), in order. */
  readonly served: string[] = [];
  isDone = false;
  private readonly marker = newId();
  private sent = 0;

  constructor(private readonly api: Api) {}

  /** Sends requests one after the other until `count` were served. */
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
