import type pg from "pg";
import { isPartitionMissing } from "@/lib/audit-logs/retain/partitions";
import type { Entry } from "@/lib/audit-logs/write/append";
import { enqueueOutbox } from "@/lib/audit-logs/write/outbox";
import { store } from "@/lib/audit-logs/write/store";
import { auditPool } from "@/lib/db/audit";
import { logFailure } from "@/lib/db/outage-log";
import { ApiError } from "@/lib/http/errors";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";

interface Waiting extends Entry {
  resolve: () => void;
  reject: (error: unknown) => void;
}

const LARGEST_BATCH = 500;
const LARGEST_BATCH_BYTES = 8 * 1024 * 1024;
/** How often a failed audit database is asked whether it is back, and how long it may take to say so, in milliseconds. */
const ASK_MS = 1_000;
const ANSWER_MS = 1_000;

/**
 * Group commit: an event waits in memory only for the batch that is under way, then goes out with all that came meanwhile.
 */
export class Writer {
  private waiting: Waiting[] = [];
  private busy = false;
  /** The audit database failed and has not answered since: the outbox takes events straight away. */
  private avoiding = false;

  /** Resolves once the event is durable in either database. Throws 503 when neither takes it. */
  write(entry: Entry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...entry, resolve, reject });
      if (this.busy) return;
      this.busy = true;
      // Requests that were read in one turn of the loop share the first batch.
      setImmediate(() => void this.drain());
    });
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.take();
      try {
        await this.store(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        logFailure("neither database takes audit events", error, { events: batch.length });
        const refusal = new ApiError("UNAVAILABLE", "The audit log cannot be written.", { retry_after: 5 });
        for (const { reject } of batch) reject(refusal);
      }
    }
    this.busy = false;
  }

  private take(): Waiting[] {
    let bytes = 0;
    let count = 0;
    while (count < this.waiting.length && count < LARGEST_BATCH && bytes < LARGEST_BATCH_BYTES) {
      bytes += this.waiting[count++]?.body?.length ?? 0;
    }
    return this.waiting.splice(0, count);
  }

  private async store(entries: readonly Entry[]): Promise<void> {
    // The audit database is asked after all where the outbox fails: it may be back before the avoidance is over.
    if (this.avoiding && (await this.enqueue(entries))) return;
    try {
      const refused = await store(auditPool("write"), entries);
      if (refused.length > 0) await enqueueOutbox(refused);
    } catch (error) {
      if (isPartitionMissing(error)) {
        log.warn({ events: entries.length }, "no partition for audit events; the worker makes it and stores them");
      } else {
        this.avoid();
        logFailure("audit events go to the outbox", error, { events: entries.length });
      }
      await enqueueOutbox(entries);
    }
  }

  /** No request waits for a database that hangs: beside them it is asked until it answers. */
  private avoid(): void {
    if (this.avoiding) return;
    this.avoiding = true;
    const ask = () =>
      auditPool("write")
        .query({ text: "SELECT 1", query_timeout: ANSWER_MS } as pg.QueryConfig)
        .then(() => {
          this.avoiding = false;
        }, later);
    const later = () => void setTimeout(ask, ASK_MS).unref();
    later();
  }

  private async enqueue(entries: readonly Entry[]): Promise<boolean> {
    try {
      await enqueueOutbox(entries);
      return true;
    } catch (error) {
      logFailure("the outbox does not take audit events", error, { events: entries.length });
      return false;
    }
  }
}

/** This process's writer. */
export function writer(): Writer {
  return processSingleton("audit-logs.writer", () => new Writer());
}
