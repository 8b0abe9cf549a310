import { createHash } from "node:crypto";
import pg from "pg";
import type { Input, Output } from "@/lib/api/endpoint";
import { ApiError } from "@/lib/api/errors";
import { close } from "@/lib/audit-logs/close";
import type { exportAuditLogs as contract, Format } from "@/lib/audit-logs/export-contract";
import { copySql, csvHeader, inline } from "@/lib/audit-logs/export-sql";
import { assertRange } from "@/lib/audit-logs/filters";
import { Recording, recording } from "@/lib/audit-logs/recording";
import { rangeOf, scopeOf } from "@/lib/audit-logs/scope";
import { where } from "@/lib/audit-logs/where";
import type { Principal } from "@/lib/auth/principal";
import { requireSetting } from "@/lib/config";
import { CopyOut } from "@/lib/db/copy-out";
import { idAt } from "@/lib/ids";
import { log } from "@/lib/log";
import { once } from "@/lib/once";

const contentTypes: Record<Format, string> = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
};

/** Exports at once in one process; each has a connection to the audit database of its own. */
const MOST_AT_ONCE = 4;

/**
 * A file of all events that fit, as of now: one COPY, so one snapshot, up to the id of this very request. Nothing is read before
 * the response is, and no more than the client takes. Throws 400, and 503 when too many exports run.
 */
export async function exportAuditLogs(
  { organizationId }: Principal,
  { format, include, ...filters }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  assertRange(filters);
  const running = once("audit-logs.exports", () => ({ count: 0 }));
  if (running.count >= MOST_AT_ONCE) {
    throw new ApiError("UNAVAILABLE", "Several exports are running already. Try again shortly.", { retry_after: 10 });
  }
  const event = recording();
  event.flag("audit_exported");
  const scope = await scopeOf(organizationId);
  const range = rangeOf(scope, filters);
  const conditions = where(scope, filters);
  conditions.add(`id >= ${conditions.value(idAt(range.from))} AND id < ${conditions.value(idAt(range.to))}`);
  conditions.add(`id < ${conditions.value(event.id)}`);
  const withBody = include === "body";
  const sql = inline(copySql(format, withBody, String(conditions)), conditions.values);
  const finished = new Recording({
    ...event.row,
    id: new Recording().id,
    ...{ method: null, path: null, route: null, query: null, body_size: null, content_type: null },
    ...{ status_code: null, rate_limit_remaining: null, flags: [] },
    ...{ action: "audit_log.export_finished", resource_type: "audit_log", resource_id: event.id },
  });
  running.count++;
  const file = new ExportFile(sql, format, withBody, finished, () => running.count--);
  const name = `sealwatch-audit-${event.occurredAt.toISOString().slice(0, 10)}.${format}`;
  return new Response(file.stream(), {
    headers: { "Content-Type": contentTypes[format], "Content-Disposition": `attachment; filename="${name}"` },
  });
}

/** The bytes of one export, and its end, whatever it is, on record. */
class ExportFile {
  private readonly hash = createHash("sha256");
  private readonly client = new pg.Client({ connectionString: requireSetting("AUDIT_DATABASE_URL") });
  private readonly copy: CopyOut;
  private started = false;
  private done = false;

  constructor(
    sql: string,
    private readonly format: Format,
    private readonly withBody: boolean,
    private readonly finished: Recording,
    private readonly release: () => void,
  ) {
    this.copy = new CopyOut(sql, format === "json" ? ",\n" : "", { csv: "\r\n", json: "", ndjson: "\n" }[format]);
    // A client that is gone before the response began pulls nothing and cancels nothing.
    setTimeout(() => !this.started && void this.end(false), 60_000).unref();
  }

  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream(
      {
        pull: async (controller) => {
          try {
            const block = this.started ? await this.copy.next() : await this.begin();
            if (block !== null) return controller.enqueue(this.counted(block));
            const tail = this.tail();
            await this.end(true);
            if (tail !== "") controller.enqueue(Buffer.from(tail));
            controller.close();
          } catch (error) {
            log.error({ err: error, request_id: this.finished.row.resource_id }, "an export broke off");
            await this.end(false);
            controller.error(error);
          }
        },
        cancel: () => this.end(false),
      },
      { highWaterMark: 0 },
    );
  }

  private async begin(): Promise<Buffer> {
    this.started = true;
    this.client.on("error", (error) => this.copy.handleError(error));
    await this.client.connect();
    this.copy.start(this.client);
    return Buffer.from({ csv: csvHeader(this.withBody), json: "[\n", ndjson: "" }[this.format]);
  }

  private counted(block: Buffer): Buffer {
    this.hash.update(block);
    return block;
  }

  private tail(): string {
    if (this.format === "csv") return "";
    if (this.format === "json") return "\n]\n";
    const sha256 = this.hash.copy().digest("hex");
    return `${JSON.stringify({ export: { rows: this.copy.rows, sha256 } })}\n`;
  }

  /** Ends the COPY with its connection and records how the file ended. Once. */
  private async end(complete: boolean): Promise<void> {
    if (this.done) return;
    this.done = true;
    this.started = true;
    this.release();
    const rows = this.copy.rows;
    this.finished.row.details = { format: this.format, rows, sha256: this.hash.digest("hex"), complete };
    this.finished.finish(null);
    await close(this.finished).catch((error) => log.error({ err: error }, "the end of an export was not recorded"));
    // The backend stops at its next write; waiting for it would wait for a reader that left.
    if (!complete)
      (this.client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    await this.client.end().catch(() => {});
  }
}
