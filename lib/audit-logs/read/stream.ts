import { type ShownRow, toAuditEvent } from "@/lib/audit-logs/audit-event";
import type { Filters } from "@/lib/audit-logs/filters";
import {
  endOfLog,
  LAST_ID,
  type LogCursor,
  MAX_ARRIVAL_DELAY_MS,
  PAGE_SIZE,
  type Position,
} from "@/lib/audit-logs/read/new-events";
import type { streamAuditLogs as contract } from "@/lib/audit-logs/read/stream-contract";
import { tail } from "@/lib/audit-logs/read/tail";
import { type Scope, scopeOf } from "@/lib/audit-logs/scope";
import { auditPool } from "@/lib/db/audit";
import { logFailure } from "@/lib/db/outage-log";
import { arrivals } from "@/lib/http/arrival";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { idTime } from "@/lib/ids";
import { processSingleton } from "@/lib/process-singleton";
import { shutdownRequested } from "@/lib/shutdown";
import { Slots } from "@/lib/slots";

/** A comment this often keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;
/** Streams at once in one process, in all and of one organization. */
const MAX_STREAMS = 200;
const MAX_OF_ONE = 20;
/** A client that takes nothing for this long has gone, or would hold its slot for good, also after its key was revoked. */
const READER_TIMEOUT_MS = 60_000;
/** After a stop clients come back within one to three times this long; what they do not take of the farewell is not waited for. */
const RECONNECT_MS = 1_000;
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * New events that fit, as server-sent events, in the order in which they became visible: a slow request's event, older by its
 * id, is not skipped. `Last-Event-ID` resumes right behind that event; whoever has none yet is first given the id of where the log ends.
 * Reads no further than the client takes. Throws 400, 503.
 */
export async function streamAuditLogs(
  principal: Principal,
  filters: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const message = arrivals.getStore()?.message;
  const last = message?.headers["last-event-id"];
  const scope = await scopeOf(principal.organizationId);
  const position = last === undefined ? await endOfLog() : await positionOf(scope, String(last));
  const from = (position.id === LAST_ID ? Date.now() : idTime(position.id)) - MAX_ARRIVAL_DELAY_MS;
  if (message?.socket.destroyed) throw new ApiError("CLIENT_CLOSED_REQUEST", "The client left.");
  const slots = processSingleton("audit-logs.streams", () => new Slots(MAX_STREAMS, MAX_OF_ONE));
  const release = slots.take(principal.organizationId);
  if (release === null) throw new ApiError("UNAVAILABLE", "Too many streams are open.", { retry_after: 30 });
  const ended = new AbortController();
  const end = () => ended.abort();
  const unfollow = tail().follow(principal.organizationId);
  ended.signal.addEventListener("abort", () => {
    release();
    unfollow();
    message?.socket.off("close", end);
  });
  // A response that nobody is there to take is not cancelled.
  message?.socket.once("close", end);
  return new Response(body(principal, filters, { position, from }, ended), {
    headers: { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" },
  });
}

function body(principal: Principal, filters: Filters, start: LogCursor, ended: AbortController): ReadableStream {
  const { organizationId } = principal;
  const socket = arrivals.getStore()?.message.socket;
  let place = start;
  let isBehind = true;
  let spokenAt = 0;
  let patience: NodeJS.Timeout | undefined;
  /** The next events; waits for a look at the log where all before it was read. */
  const next = async () => {
    if (!isBehind) {
      const look = await tail().next();
      const isQuiet = look.quiet.has(organizationId) && place.position.written === look.before.written;
      if (isQuiet && place.position.id === look.before.id) {
        place = { position: look.end, from: Math.max(place.from, look.at - MAX_ARRIVAL_DELAY_MS), readAt: look.at };
        return [];
      }
    }
    const { rows, next } = await tail().read(organizationId, filters, place);
    place = next;
    isBehind = rows.length >= PAGE_SIZE;
    return rows;
  };
  return new ReadableStream(
    {
      start(controller) {
        // Whoever loses the connection before the first event comes back to here, not to the end of the log as it is then.
        if (start.position.id === LAST_ID) controller.enqueue(Buffer.from(`id: ${start.position.written}\n\n`));
        const stop = () => {
          // Those who come back do so one after the other, and to another machine where there is one.
          const retry = Math.round(RECONNECT_MS * (1 + 2 * Math.random()));
          if (!ended.signal.aborted) controller.enqueue(Buffer.from(`retry: ${retry}\n\n`));
          end(controller);
          setTimeout(() => socket?.destroy(), CLOSE_TIMEOUT_MS).unref();
        };
        const stopping = shutdownRequested();
        if (stopping.aborted) stop();
        else stopping.addEventListener("abort", stop, { signal: ended.signal });
      },
      async pull(controller) {
        clearTimeout(patience);
        try {
          while (!ended.signal.aborted) {
            const startedAt = Date.now();
            const rows = await next();
            // Asked last, so that nothing goes to a credential that was revoked before it was written.
            if (!(await principal.isCurrent())) break;
            if (ended.signal.aborted) return;
            if (rows.length > 0 || startedAt - spokenAt > HEARTBEAT_MS) {
              spokenAt = startedAt;
              controller.enqueue(Buffer.from(rows.map(message).join("") || ": still here\n\n"));
              patience = setTimeout(() => {
                ended.abort();
                controller.error(new Error("the client stopped reading"));
              }, READER_TIMEOUT_MS).unref();
              return;
            }
          }
        } catch (error) {
          logFailure("a stream of events broke off", error);
        }
        end(controller);
      },
      cancel() {
        clearTimeout(patience);
        ended.abort();
      },
    },
    { highWaterMark: 1 },
  );

  function end(controller: ReadableStreamDefaultController): void {
    clearTimeout(patience);
    if (ended.signal.aborted) return;
    ended.abort();
    controller.close();
  }
}

function message(row: ShownRow): string {
  return `id: ${row.id}\nevent: audit_event\ndata: ${JSON.stringify(toAuditEvent(row))}\n\n`;
}

async function positionOf(scope: Scope, id: string): Promise<Position> {
  if (/^\d{1,19}$/.test(id)) return { written: id, id: LAST_ID };
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw invalid("Last-Event-ID", "is not an event's id");
  const { rows } = await auditPool().query<Position>(
    "SELECT written::text, id FROM audit_events WHERE organization_id = $1 AND retention_days = ANY($2::smallint[]) AND id = $3",
    [scope.organizationId, scope.classes, id],
  );
  if (rows[0] === undefined) throw invalid("Last-Event-ID", "is no event that is still kept");
  return rows[0];
}
