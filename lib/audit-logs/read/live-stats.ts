import { statsInDetail } from "@/lib/audit-logs/count/stats-in-detail";
import type { Filters } from "@/lib/audit-logs/filters";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { logFailure } from "@/lib/db/outage-log";

/** The figures are counted at most this often, in milliseconds. */
const MIN_INTERVAL_MS = 2_000;
/** The interval is at least this many times as long as counting took, so that slow figures do not load the database. */
const DURATION_FACTOR = 20;

/** The figures of a stream, counted beside it: the stream never waits for them. */
export class LiveStats {
  #isStale = true;
  #isCounting = false;
  #nextAt = 0;
  #message = "";

  constructor(
    private readonly organizationId: string,
    private readonly filters: Filters,
  ) {}

  /** The next figures as a server-sent event if they are ready, else an empty string. `hasNew`: new events make them stale. */
  take(hasNew: boolean): string {
    this.#isStale ||= hasNew;
    if (this.#isStale && !this.#isCounting && Date.now() >= this.#nextAt) void this.#count();
    const message = this.#message;
    this.#message = "";
    return message;
  }

  async #count(): Promise<void> {
    this.#isStale = false;
    this.#isCounting = true;
    const startedAt = Date.now();
    try {
      const stats = await statsInDetail(await scopeOf(this.organizationId), this.filters);
      // Without an id, so that a client resumes after the last event.
      this.#message = `event: audit_stats\ndata: ${JSON.stringify(stats)}\n\n`;
    } catch (error) {
      this.#isStale = true;
      logFailure("the figures of a stream cannot be counted", error);
    }
    this.#nextAt = Date.now() + Math.max(MIN_INTERVAL_MS, DURATION_FACTOR * (Date.now() - startedAt));
    this.#isCounting = false;
  }
}
