import type pg from "pg";
import { isPartitionMissing } from "@/lib/audit-logs/partitions/partitions";
import type { Entry } from "@/lib/audit-logs/write/append";
import { enqueueOutbox } from "@/lib/audit-logs/write/outbox";
import { store } from "@/lib/audit-logs/write/store";
import { auditPool } from "@/lib/db/audit";
import { logFailure } from "@/lib/db/outage-log";
import { ApiError } from "@/lib/http/errors";
import { log } from "@/lib/log";
import { count, observe, onRead, setGauge } from "@/lib/metrics/metrics";
import { processSingleton } from "@/lib/process-singleton";

interface Waiting extends Entry {
  resolve: () => void;
  reject: (error: unknown) => void;
}

const MAX_BATCH_SIZE = 500;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
/** Interval and timeout for checking whether a failed audit database is available again, in milliseconds. */
const PROBE_INTERVAL_MS = 1_000;
const PROBE_TIMEOUT_MS = 1_000;

/**
 * Group commit: an event waits only for the batch in progress, and is then stored with all events that arrived in the meantime.
 */
class Writer {
  private waiting: Waiting[] = [];
  private busy = false;
  /** The audit database failed and has not recovered yet: events go directly to the outbox. */
  private isBypassed = false;

  constructor() {
    onRead("audit-logs.writer", () => setGauge("sealwatch_audit_events_waiting", {}, this.waiting.length));
  }

  /** Resolves when the event is durable in either database. Throws 503 if neither accepts it. */
  write(entry: Entry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...entry, resolve, reject });
      if (this.busy) return;
      this.busy = true;
      // Requests that were read in the same turn of the event loop share the first batch.
      setImmediate(() => void this.writeBatches());
    });
  }

  private async writeBatches(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.take();
      const started = performance.now();
      try {
        await this.store(batch);
        observe("sealwatch_audit_batch_events", {}, batch.length);
        observe("sealwatch_audit_batch_duration_seconds", {}, (performance.now() - started) / 1000);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        count("sealwatch_audit_events_refused_total", {}, batch.length);
        logFailure("neither database accepts audit events", error, { events: batch.length });
        const refusal = new ApiError("UNAVAILABLE", "The audit log cannot be written.", { retry_after: 5 });
        for (const { reject } of batch) reject(refusal);
      }
    }
    this.busy = false;
  }

  private take(): Waiting[] {
    let bytes = 0;
    let count = 0;
    while (count < this.waiting.length && count < MAX_BATCH_SIZE && bytes < MAX_BATCH_BYTES) {
      bytes += this.waiting[count++]?.body?.length ?? 0;
    }
    return this.waiting.splice(0, count);
  }

  private async store(entries: readonly Entry[]): Promise<void> {
    // If the outbox fails too, try the audit database anyway.
    if (this.isBypassed && (await this.enqueue(entries))) return;
    try {
      const refused = await store(auditPool("write"), entries);
      count("sealwatch_audit_events_total", { store: "audit_database" }, entries.length - refused.length);
      if (refused.length > 0) await enqueueOutbox(refused);
    } catch (error) {
      if (isPartitionMissing(error)) {
        log.warn({ events: entries.length }, "no partition for audit events; the worker will create it and store them");
      } else {
        this.bypass();
        logFailure("storing audit events in the outbox", error, { events: entries.length });
      }
      await enqueueOutbox(entries);
    }
  }

  /** Requests do not wait for an unresponsive database: it is checked in the background until it responds. */
  private bypass(): void {
    if (this.isBypassed) return;
    this.isBypassed = true;
    const probe = () =>
      auditPool("write")
        .query({ text: "SELECT 1", query_timeout: PROBE_TIMEOUT_MS } as pg.QueryConfig)
        .then(() => {
          this.isBypassed = false;
        }, probeLater);
    const probeLater = () => void setTimeout(probe, PROBE_INTERVAL_MS).unref();
    probeLater();
  }

  private async enqueue(entries: readonly Entry[]): Promise<boolean> {
    try {
      await enqueueOutbox(entries);
      return true;
    } catch (error) {
      logFailure("the outbox does not accept audit events", error, { events: entries.length });
      return false;
    }
  }
}

/** This process's writer. */
export function writer(): Writer {
  return processSingleton("audit-logs.writer", () => new Writer());
}
