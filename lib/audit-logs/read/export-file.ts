import { createHash } from "node:crypto";
import { AuditEventDraft, type AuditRow, auditEvent } from "@/lib/audit-logs/audit-event-draft";
import type { Format } from "@/lib/audit-logs/read/export-contract";
import { ReaderPace } from "@/lib/audit-logs/read/reader-pace";
import { slotHolders } from "@/lib/audit-logs/read/slot-holders";
import { commitEvent } from "@/lib/audit-logs/write/commit-event";
import { logFailure } from "@/lib/db/outage-log";
import type { RowSource } from "@/lib/db/rows/row-source";
import { arrivals } from "@/lib/http/arrival";
import { ApiError } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { processSingleton } from "@/lib/process-singleton";
import { beforeExit } from "@/lib/shutdown";
import { Slots } from "@/lib/slots";

const contentTypes: Record<Format, string> = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
};

/** Maximum concurrent exports in one process: in total, per organization, and in all organizations that count for one person. */
const MAX_CONCURRENT = 4;
const MAX_OF_ONE = { organization: 2, creator: 2 };
/** A client that reads nothing for this long is disconnected: it would keep a slot, a snapshot and expired partitions. */
const READER_TIMEOUT_MS = 60_000;
/** While others wait for a slot, a client that is so far behind the minimum throughput of ReaderPace is disconnected. */
const MAX_BEHIND_MS = 180_000;
/** Maximum duration of an export: however slowly its client reads, partitions that have expired can be dropped. */
const MAX_DURATION_MS = 3_600_000;
/** How often the credential of a running export is checked. */
const CREDENTIAL_CHECK_MS = 5_000;
/** Milliseconds between attempts to record the end of an export, and the maximum number of attempts. */
const RECORD_RETRY_MS = 1_000;
const RECORD_ATTEMPTS = 600;

/**
 * A file as the response to the current request. Its end is recorded as a separate event, which `adjustEvent` can change. It ends
 * early after an hour, when the principal's credential is no longer valid, or when the client reads slowly and others wait. Throws 503
 * if too many exports are running.
 */
export async function exportFile(
  principal: Principal,
  parts: FileParts,
  name: string,
  adjustEvent: (finished: AuditRow) => void,
): Promise<Response> {
  const socket = arrivals.getStore()?.message.socket;
  const event = auditEvent();
  const holders = await slotHolders(principal.organizationId, MAX_OF_ONE);
  if (socket?.destroyed) throw new ApiError("CLIENT_CLOSED_REQUEST", "The client disconnected.");
  const finished = new AuditEventDraft({
    ...event.row,
    id: new AuditEventDraft().id,
    ...{ method: null, path: null, route: null, query: null, body_size: null, content_type: null },
    ...{ status_code: null, rate_limit_remaining: null, flags: [], resource_id: event.id },
  });
  adjustEvent(finished.row);
  const release = takeSlot(holders);
  if (release === null) {
    throw new ApiError("UNAVAILABLE", "Several exports are running already. Try again shortly.", { retry_after: 10 });
  }
  const file = new ExportFile(principal, parts, finished, () => {
    release();
    running().files.delete(file);
    socket?.off("close", abandon);
  });
  running().files.add(file);
  // If the client is already gone, the response is neither read nor cancelled.
  const abandon = () => void file.end(false);
  socket?.once("close", abandon);
  const filename = `sealwatch-${name}-${event.occurredAt.toISOString().slice(0, 10)}.${parts.format}`;
  return new Response(file.stream(), {
    headers: {
      "Content-Type": contentTypes[parts.format],
      "Content-Disposition": `attachment; filename="${filename}"`,
    },
  });
}

const running = () =>
  processSingleton("audit-logs.exports", () => ({ slots: new Slots(MAX_CONCURRENT), files: new Set<ExportFile>() }));

/** A slot for another export. If all are taken, ends the one whose client is furthest behind, if that is too far. */
function takeSlot(holders: Readonly<Record<string, number>>): (() => void) | null {
  const { slots, files } = running();
  const release = slots.take(holders);
  if (release !== null || !slots.allows(holders)) return release;
  const [slowest] = [...files].sort((a, b) => b.pace.behindMs() - a.pace.behindMs());
  if (slowest === undefined || slowest.pace.behindMs() <= MAX_BEHIND_MS) return null;
  slowest.giveUp("the client read too slowly while others waited");
  return slots.take(holders);
}

/** The parts of a file. */
interface FileParts {
  source: RowSource;
  format: Format;
  /** The beginning of the file. */
  header: string;
}

/** Streams one export and records its end, whatever the outcome. */
class ExportFile {
  readonly pace = new ReaderPace();
  private readonly hash = createHash("sha256");
  private readonly source: RowSource;
  private readonly format: Format;
  private readonly header: string;
  private readerTimeout: NodeJS.Timeout | undefined;
  private readonly deadline: NodeJS.Timeout;
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  private checkedAt = performance.now();
  private started = false;
  private done = false;

  constructor(
    private readonly principal: Principal,
    { source, format, header }: FileParts,
    private readonly finished: AuditEventDraft,
    private readonly release: () => void,
  ) {
    this.format = format;
    this.header = header;
    this.source = source;
    this.deadline = setTimeout(() => this.giveUp("the export took too long"), MAX_DURATION_MS).unref();
    this.wait(0);
  }

  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream(
      {
        start: (controller) => {
          this.controller = controller;
        },
        pull: async (controller) => {
          clearTimeout(this.readerTimeout);
          this.pace.resume();
          try {
            const block = this.started ? await this.source.next() : this.begin();
            // Checked last, so that a credential revoked in the meantime receives nothing.
            const isAllowed = await this.isAllowed();
            if (this.done) return;
            if (!isAllowed) return this.giveUp("the credential of the export is no longer valid");
            if (block !== null) {
              controller.enqueue(this.counted(block));
              return this.wait(block.length);
            }
            const tail = this.tail();
            await this.end(true);
            if (tail !== null) controller.enqueue(tail);
            controller.close();
          } catch (error) {
            if (!this.done) logFailure("an export failed", error, { request_id: this.finished.row.resource_id });
            await this.end(false);
            controller.error(error);
          }
        },
        cancel: () => this.end(false),
      },
      { highWaterMark: 0 },
    );
  }

  /** Starts the timeout for the client to ask for the next block, after one of so many bytes. */
  private wait(bytes: number): void {
    this.pace.wait(bytes);
    this.readerTimeout = setTimeout(() => this.giveUp("the client stopped reading"), READER_TIMEOUT_MS).unref();
  }

  /** Whether the credential is still valid, as of at most CREDENTIAL_CHECK_MS ago. */
  private async isAllowed(): Promise<boolean> {
    if (performance.now() - this.checkedAt < CREDENTIAL_CHECK_MS) return true;
    this.checkedAt = performance.now();
    return this.principal.isCurrent(true);
  }

  /** Ends the export early; its client sees that the response is incomplete. */
  giveUp(reason: string): void {
    this.controller?.error(new Error(reason));
    void this.end(false);
  }

  private begin(): Buffer {
    this.started = true;
    return Buffer.from(this.header);
  }

  private counted(block: Buffer): Buffer {
    this.hash.update(block);
    return block;
  }

  /** The end of the file. Everything is hashed except the NDJSON trailer, which contains the hash. */
  private tail(): Buffer | null {
    if (this.format === "csv") return null;
    if (this.format === "json") return this.counted(Buffer.from("\n]\n"));
    const sha256 = this.hash.copy().digest("hex");
    return Buffer.from(`${JSON.stringify({ export: { rows: this.source.rows, sha256 } })}\n`);
  }

  /** Ends the export and records its outcome, once. The process waits for it before it exits. */
  async end(complete: boolean): Promise<void> {
    if (this.done) return;
    this.done = true;
    const ended = this.record(complete);
    beforeExit(ended);
    await ended;
  }

  private async record(complete: boolean): Promise<void> {
    this.started = true;
    clearTimeout(this.readerTimeout);
    clearTimeout(this.deadline);
    this.release();
    const rows = this.source.rows;
    this.finished.row.details = { format: this.format, rows, sha256: this.hash.digest("hex"), complete };
    this.finished.finish(null);
    await recordEnd(this.finished);
    await this.source.end(complete);
  }
}

/** Records an export's end. If neither database accepts the event, it is retried in the background; the file does not wait. */
async function recordEnd(finished: AuditEventDraft, attempt = 1): Promise<void> {
  try {
    await commitEvent(finished);
  } catch (error) {
    const isLast = attempt === RECORD_ATTEMPTS;
    if (attempt === 1 || isLast) logFailure("the end of an export could not be recorded", error, { attempt });
    if (!isLast) setTimeout(() => void recordEnd(finished, attempt + 1), RECORD_RETRY_MS).unref();
  }
}
