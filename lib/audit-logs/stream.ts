import { setTimeout as delay } from "node:timers/promises";
import { arrivals } from "@/lib/api/arrival";
import type { Input, Output } from "@/lib/api/endpoint";
import { ApiError, invalid } from "@/lib/api/errors";
import { SHOWN, toAuditEvent } from "@/lib/audit-logs/audit-event";
import type { Filters } from "@/lib/audit-logs/filters";
import type { AuditRow } from "@/lib/audit-logs/recording";
import { type Scope, scopeOf } from "@/lib/audit-logs/scope";
import type { streamAuditLogs as contract } from "@/lib/audit-logs/stream-contract";
import { where } from "@/lib/audit-logs/where";
import type { Principal } from "@/lib/auth/principal";
import { auditPool } from "@/lib/db/audit";
import { idAt } from "@/lib/ids";
import { log } from "@/lib/log";
import { once } from "@/lib/once";

const POLL_MS = 1_000;
/** A comment this often keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;
const AT_ONCE = 200;
const MOST_STREAMS = 200;
/** Events that reach the log later than this after they occurred are in it, but are not streamed. */
const LATE_MS = 2 * 86_400_000;

/** Where a reader is: after this event of this transaction. */
interface Position {
  written: string;
  id: string;
}

/**
 * New events that fit, as server-sent events, in the order in which they became visible: a slow request's event, older by its
 * id, is not skipped. `Last-Event-ID` resumes right behind that event. Reads no further than the client takes. Throws 400, 503.
 */
export async function streamAuditLogs(
  principal: Principal,
  filters: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const streams = once("audit-logs.streams", () => ({ count: 0 }));
  if (streams.count >= MOST_STREAMS) {
    throw new ApiError("UNAVAILABLE", "Too many streams are open.", { retry_after: 30 });
  }
  const last = arrivals.getStore()?.message.headers["last-event-id"];
  const scope = await scopeOf(principal.organizationId);
  const position = last === undefined ? await endOfLog() : await positionOf(scope, String(last));
  streams.count++;
  return new Response(
    body(principal, filters, position, () => streams.count--),
    {
      headers: { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" },
    },
  );
}

function body(principal: Principal, filters: Filters, position: Position, release: () => void): ReadableStream {
  const ended = new AbortController();
  const end = () => {
    if (!ended.signal.aborted) release();
    ended.abort();
  };
  let spokenAt = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          while (!ended.signal.aborted) {
            const started = Date.now();
            if (!(await principal.isCurrent())) {
              end();
              return controller.close();
            }
            const rows = await after(await scopeOf(principal.organizationId), filters, position);
            const quiet = started - spokenAt > HEARTBEAT_MS;
            if (rows.length > 0 || quiet) {
              spokenAt = started;
              position = rows.at(-1) ?? position;
              return controller.enqueue(Buffer.from(rows.map(message).join("") || ": still here\n\n"));
            }
            await delay(POLL_MS, undefined, { signal: ended.signal }).catch(() => {});
          }
        } catch (error) {
          log.warn({ err: error }, "a stream of events broke off");
          end();
          controller.close();
        }
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  );
}

function message(row: AuditRow): string {
  return `id: ${row.id}\nevent: audit_event\ndata: ${JSON.stringify(toAuditEvent(row))}\n\n`;
}

async function after(scope: Scope, filters: Filters, position: Position): Promise<(AuditRow & Position)[]> {
  const conditions = where(scope, filters);
  const from = Math.max(scope.oldest, Date.now() - LATE_MS, filters.since ?? 0);
  conditions.add(`id >= ${conditions.value(idAt(from))}`);
  if (filters.until !== undefined) conditions.add(`id < ${conditions.value(idAt(filters.until))}`);
  conditions.add(
    `(written, id) > (${conditions.value(position.written)}::xid8, ${conditions.value(position.id)}::uuid)`,
  );
  // What is written by a transaction younger than one that still runs may yet be overtaken by it.
  conditions.add("written < pg_snapshot_xmin(pg_current_snapshot())");
  const { rows } = await auditPool().query<AuditRow & Position>(
    `SELECT ${SHOWN}, written::text FROM audit_events WHERE ${conditions} ORDER BY written, id LIMIT ${AT_ONCE}`,
    conditions.values,
  );
  return rows;
}

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

async function endOfLog(): Promise<Position> {
  const { rows } = await auditPool().query<{ written: string }>(
    "SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text AS written",
  );
  return { written: rows[0]?.written ?? "0", id: LAST_ID };
}

async function positionOf(scope: Scope, id: string): Promise<Position> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw invalid("Last-Event-ID", "is not an event's id");
  const { rows } = await auditPool().query<Position>(
    "SELECT written::text, id FROM audit_events WHERE organization_id = $1 AND retention_days = ANY($2::smallint[]) AND id = $3",
    [scope.organizationId, scope.classes, id],
  );
  if (rows[0] === undefined) throw invalid("Last-Event-ID", "is no event that is still kept");
  return rows[0];
}
