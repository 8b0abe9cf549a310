import { setTimeout as delay } from "node:timers/promises";
import { arrivals } from "@/lib/api/arrival";
import type { Input, Output } from "@/lib/api/endpoint";
import { ApiError, invalid } from "@/lib/api/errors";
import { toAuditEvent } from "@/lib/audit-logs/audit-event";
import type { Filters } from "@/lib/audit-logs/filters";
import { endOfLog, LATE_MS, newEvents, type Place, type Position } from "@/lib/audit-logs/new-events";
import type { AuditRow } from "@/lib/audit-logs/recording";
import { type Scope, scopeOf } from "@/lib/audit-logs/scope";
import type { streamAuditLogs as contract } from "@/lib/audit-logs/stream-contract";
import type { Principal } from "@/lib/auth/principal";
import { auditPool } from "@/lib/db/audit";
import { idTime } from "@/lib/ids";
import { log } from "@/lib/log";
import { once } from "@/lib/once";
import { Slots } from "@/lib/slots";

const POLL_MS = 1_000;
/** A comment this often keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;
/** Streams at once in one process, in all and of one organization. */
const MOST_STREAMS = 200;
const MOST_OF_ONE = 20;
/** A client that takes nothing for this long has gone, or would hold its slot for good, also after its key was revoked. */
const PATIENCE_MS = 60_000;

/**
 * New events that fit, as server-sent events, in the order in which they became visible: a slow request's event, older by its
 * id, is not skipped. `Last-Event-ID` resumes right behind that event. Reads no further than the client takes. Throws 400, 503.
 */
export async function streamAuditLogs(
  principal: Principal,
  filters: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const message = arrivals.getStore()?.message;
  const last = message?.headers["last-event-id"];
  const scope = await scopeOf(principal.organizationId);
  const position = last === undefined ? await endOfLog() : await positionOf(scope, String(last));
  const from = (last === undefined ? Date.now() : idTime(position.id)) - LATE_MS;
  if (message?.socket.destroyed) throw new ApiError("CLIENT_CLOSED_REQUEST", "The client left.");
  const slots = once("audit-logs.streams", () => new Slots(MOST_STREAMS, MOST_OF_ONE));
  const release = slots.take(principal.organizationId);
  if (release === null) throw new ApiError("UNAVAILABLE", "Too many streams are open.", { retry_after: 30 });
  const ended = new AbortController();
  const end = () => ended.abort();
  ended.signal.addEventListener("abort", () => {
    release();
    message?.socket.off("close", end);
  });
  // A response that nobody is there to take is not cancelled.
  message?.socket.once("close", end);
  return new Response(body(principal, filters, { position, from }, ended), {
    headers: { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" },
  });
}

function body(principal: Principal, filters: Filters, start: Place, ended: AbortController): ReadableStream {
  let place = start;
  let spokenAt = 0;
  let patience: NodeJS.Timeout | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        clearTimeout(patience);
        try {
          while (!ended.signal.aborted && (await principal.isCurrent())) {
            const started = Date.now();
            const { rows, next } = await newEvents(principal.organizationId, filters, place);
            if (ended.signal.aborted) break;
            place = next;
            if (rows.length > 0 || started - spokenAt > HEARTBEAT_MS) {
              spokenAt = started;
              controller.enqueue(Buffer.from(rows.map(message).join("") || ": still here\n\n"));
              patience = setTimeout(() => {
                ended.abort();
                controller.error(new Error("the client stopped reading"));
              }, PATIENCE_MS).unref();
              return;
            }
            await delay(POLL_MS, undefined, { signal: ended.signal }).catch(() => {});
          }
        } catch (error) {
          log.warn({ err: error }, "a stream of events broke off");
        }
        ended.abort();
        controller.close();
      },
      cancel() {
        clearTimeout(patience);
        ended.abort();
      },
    },
    { highWaterMark: 1 },
  );
}

function message(row: AuditRow): string {
  return `id: ${row.id}\nevent: audit_event\ndata: ${JSON.stringify(toAuditEvent(row))}\n\n`;
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
