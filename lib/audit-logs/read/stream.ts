import { type ShownRow, toAuditEvent } from "@/lib/audit-logs/audit-event";
import type { Seal } from "@/lib/audit-logs/contract";
import type { Filters } from "@/lib/audit-logs/filters";
import { LiveStats } from "@/lib/audit-logs/read/live-stats";
import {
  endOfLog,
  LAST_ID,
  type LogCursor,
  MAX_ARRIVAL_DELAY_MS,
  type Position,
} from "@/lib/audit-logs/read/new-events";
import { type EventSource, sealedSource } from "@/lib/audit-logs/read/sealed-source";
import { slotHolders } from "@/lib/audit-logs/read/slot-holders";
import type { streamAuditLogs as contract } from "@/lib/audit-logs/read/stream-contract";
import { tail } from "@/lib/audit-logs/read/tail";
import { type Scope, scopeOf } from "@/lib/audit-logs/scope/scope";
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
import { isUuid } from "@/lib/text/shapes/uuid";

/** Interval of comments that keep proxies from closing an idle stream. */
const HEARTBEAT_MS = 15_000;
/** Maximum concurrent streams in one process: in total, per organization, and in all organizations that count for one person. */
const MAX_STREAMS = 200;
const MAX_OF_ONE = { organization: 20, creator: 40 };
/** A client that reads nothing for this long is disconnected: it would keep its slot, even after its key was revoked. */
const READER_TIMEOUT_MS = 60_000;
/** After a shutdown, clients reconnect within one to three times this long; the server does not wait for them to read the last lines. */
const RECONNECT_MS = 1_000;
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * New matching events as server-sent events, in the order in which they became visible: a slow request's event is not skipped although
 * its id is older. `Last-Event-ID` resumes after that event; other clients first receive an id for the current end of the log. Reads
 * only as fast as the client. Throws 400, 503.
 */
export async function streamAuditLogs(
  principal: Principal,
  { include, order, ...filters }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const message = arrivals.getStore()?.message;
  const last = message?.headers["last-event-id"];
  const open = order === "sealed" ? sealedSource : newEventsSource;
  const source = await open(principal.organizationId, filters, last === undefined ? undefined : String(last));
  const holders = await slotHolders(principal.organizationId, MAX_OF_ONE);
  if (message?.socket.destroyed) throw new ApiError("CLIENT_CLOSED_REQUEST", "The client disconnected.");
  const slots = processSingleton("audit-logs.streams", () => new Slots(MAX_STREAMS));
  const release = slots.take(holders);
  if (release === null) throw new ApiError("UNAVAILABLE", "Too many streams are open.", { retry_after: 30 });
  const ended = new AbortController();
  const end = () => ended.abort();
  const unfollow = order === "sealed" ? () => {} : tail().follow(principal.organizationId);
  ended.signal.addEventListener("abort", () => {
    release();
    unfollow();
    message?.socket.off("close", end);
  });
  // If the client is already gone, the response is not cancelled.
  message?.socket.once("close", end);
  return new Response(body(principal, filters, source, ended, include === "stats"), {
    headers: { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" },
  });
}

function body(
  principal: Principal,
  filters: Filters,
  source: EventSource,
  ended: AbortController,
  hasStats: boolean,
): ReadableStream {
  const stats = hasStats ? new LiveStats(principal.organizationId, filters) : null;
  const socket = arrivals.getStore()?.message.socket;
  let sentAt = 0;
  let readerTimeout: NodeJS.Timeout | undefined;
  return new ReadableStream(
    {
      start(controller) {
        // A client that loses the connection before the first event resumes here, not at the later end of the log.
        if (source.opening !== null) controller.enqueue(Buffer.from(source.opening));
        const stop = () => {
          // Clients reconnect at different times, and to another machine if there are several.
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
        clearTimeout(readerTimeout);
        try {
          while (!ended.signal.aborted) {
            const startedAt = Date.now();
            const rows = await source.next(ended.signal);
            // Checked last, so that a credential revoked in the meantime receives nothing.
            if (!(await principal.isCurrent())) break;
            if (ended.signal.aborted) return;
            const messages = rows.join("") + (stats?.take(rows.length > 0) ?? "");
            if (messages !== "" || startedAt - sentAt > HEARTBEAT_MS) {
              sentAt = startedAt;
              controller.enqueue(Buffer.from(messages || ": still here\n\n"));
              readerTimeout = setTimeout(() => {
                ended.abort();
                controller.error(new Error("the client stopped reading"));
              }, READER_TIMEOUT_MS).unref();
              return;
            }
          }
        } catch (error) {
          logFailure("a stream of events failed", error);
        }
        end(controller);
      },
      cancel() {
        clearTimeout(readerTimeout);
        ended.abort();
      },
    },
    { highWaterMark: 1 },
  );

  function end(controller: ReadableStreamDefaultController): void {
    clearTimeout(readerTimeout);
    if (ended.signal.aborted) return;
    ended.abort();
    controller.close();
  }
}

/** New events in the order in which they become visible. Throws 400. */
async function newEventsSource(
  organizationId: string,
  filters: Filters,
  last: string | undefined,
): Promise<EventSource> {
  const position = last === undefined ? await endOfLog() : await positionOf(await scopeOf(organizationId), last);
  const from = (position.id === LAST_ID ? Date.now() : idTime(position.id)) - MAX_ARRIVAL_DELAY_MS;
  let cursor: LogCursor = { position, from };
  let isBehind = true;
  // Whether the client's last id is of an event that did not match.
  let isPassed = false;
  return {
    opening: position.id === LAST_ID ? `id: ${position.written}\n\n` : null,
    async next() {
      if (!isBehind) {
        const poll = await tail().next();
        const isIdle = poll.idle.has(organizationId) && cursor.position.written === poll.before.written;
        if (isIdle && cursor.position.id === poll.before.id) {
          cursor = { position: poll.end, from: Math.max(cursor.from, poll.at - MAX_ARRIVAL_DELAY_MS), readAt: poll.at };
          return [];
        }
      }
      const { rows, seals, next, hasMore } = await tail().read(organizationId, filters, cursor);
      [cursor, isBehind] = [next, hasMore];
      const { id, written } = next.position;
      const messages = rows.map((row) => message(row, seals.get(row.id) ?? null));
      // Behind events that do not match, so that a client that resumes does not search through them again. At the end of the log an id
      // that never expires, because no event may match before that one has expired.
      if (hasMore && id !== LAST_ID && rows.at(-1)?.id !== id) messages.push(`id: ${id}\n\n`);
      else if (isPassed && !hasMore && id === LAST_ID && rows.length === 0) messages.push(`id: ${written}\n\n`);
      isPassed = messages.length > rows.length && hasMore;
      return messages;
    },
  };
}

function message(row: ShownRow, seal: Seal | null): string {
  return `id: ${row.id}\nevent: audit_event\ndata: ${JSON.stringify(toAuditEvent(row, seal))}\n\n`;
}

async function positionOf(scope: Scope, id: string): Promise<Position> {
  if (/^\d{1,19}$/.test(id)) return { written: id, id: LAST_ID };
  if (!isUuid(id)) throw invalid("Last-Event-ID", "is not an event's id");
  const { rows } = await auditPool().query<Position>(
    "SELECT written::text, id FROM audit_events WHERE organization_id = $1 AND retention_days = ANY($2::smallint[]) AND id = $3",
    [scope.organizationId, scope.classes, id],
  );
  if (rows[0] === undefined) throw invalid("Last-Event-ID", "is not the id of a retained event");
  return rows[0];
}
