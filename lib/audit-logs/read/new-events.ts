import type pg from "pg";
import { SHOWN, type ShownRow } from "@/lib/audit-logs/audit-event";
import type { Filters } from "@/lib/audit-logs/filters";
import { scopeOf } from "@/lib/audit-logs/scope";
import { where } from "@/lib/audit-logs/where";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { defaultPurpose } from "@/lib/db/purposes";
import { idAt } from "@/lib/ids";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";

/** Most events of one read; fewer are all there are. */
export const PAGE_SIZE = 200;
/** Events that reach the log later than this after they occurred are in it, but not among the new ones. */
export const MAX_ARRIVAL_DELAY_MS = 2 * 86_400_000;

/** Events read at once by a reader whose position is lost. */
const MAX_AFTER_RESTORE = 10_000;
/** Milliseconds by which clocks may differ, and for which an event may be on its way into the log. */
const SKEW_MS = 10_000;
const NOTICE_EVERY_MS = 3_600_000;

/** A place in the order in which events became visible: behind this event of this transaction. */
export interface Position {
  written: string;
  id: string;
}

/** Before every event. */
export const START_OF_LOG: Position = { written: "0", id: "00000000-0000-0000-0000-000000000000" };

/** Where a reader is. Times in Unix milliseconds. */
export interface LogCursor {
  position: Position;
  /** Nothing new for it can have occurred before. */
  from: number;
  /** When it had read all there was; absent: MAX_ARRIVAL_DELAY_MS after `from`. */
  readAt?: number;
}

/**
 * The next events behind a place, and the place behind them: where they are all there are, the end of the log as it was. A position that
 * this database cannot have given out, as after a restore into another cluster, heals by time.
 */
export async function newEvents(
  organizationId: string,
  filters: Filters,
  place: LogCursor,
): Promise<{ rows: ShownRow[]; next: LogCursor }> {
  const now = Date.now();
  const { end, limit } = await readEnd();
  const { position, from } = place;
  if (BigInt(position.written) >= BigInt(limit)) return readByTime(organizationId, filters, place, { end, limit, now });
  // Whoever resumes behind an event that the list shows already may be further than the end.
  if (!isBefore(position, end)) return { rows: [], next: place };
  const conditions = await conditionsOf(organizationId, filters, from);
  conditions.add(
    `(written, id) > (${conditions.value(position.written)}::xid8, ${conditions.value(position.id)}::uuid)`,
  );
  conditions.add(`written <= ${conditions.value(end.written)}::xid8`);
  const rows = await inOrder<ShownRow & Position>(
    // By the column, not by its text beside it, in which 1000 comes before 999.
    `SELECT ${SHOWN}, written::text FROM audit_events e WHERE ${conditions} ORDER BY e.written, id LIMIT ${PAGE_SIZE}`,
    conditions.values,
  );
  const last = rows.at(PAGE_SIZE - 1);
  if (last !== undefined) return { rows, next: { ...place, position: last } };
  return { rows, next: { position: end, from: Math.max(from, now - MAX_ARRIVAL_DELAY_MS), readAt: now } };
}

/** What fits the filters and did not occur before `from`. */
async function conditionsOf(organizationId: string, filters: Filters, from: number) {
  const scope = await scopeOf(organizationId);
  const conditions = where(scope, filters);
  conditions.add(`id >= ${conditions.value(idAt(Math.max(scope.oldest, from, filters.since ?? 0)))}`);
  if (filters.until !== undefined) conditions.add(`id < ${conditions.value(idAt(filters.until))}`);
  return conditions;
}

/**
 * Reads what occurred since a place was read last, and goes on from the end. Restored events carry transactions of the old cluster, which
 * are in the future here; they are read now, and not again once this cluster has come that far.
 */
async function readByTime(
  organizationId: string,
  filters: Filters,
  { position, from, readAt = from + MAX_ARRIVAL_DELAY_MS }: LogCursor,
  { end, limit, now }: LogEnd & { now: number },
): Promise<{ rows: ShownRow[]; next: LogCursor }> {
  const noticed = processSingleton("audit-logs.restore", () => ({ at: Number.NEGATIVE_INFINITY }));
  if (now - noticed.at > NOTICE_EVERY_MS) {
    log.warn(
      { organization_id: organizationId, position: position.written, end: end.written },
      "a position is beyond the end of the audit log, as after a restore: events are read by time once",
    );
    noticed.at = now;
  }
  const conditions = await conditionsOf(organizationId, filters, Math.min(readAt, now));
  if (position.id !== LAST_ID) conditions.add(`id > ${conditions.value(position.id)}::uuid`);
  conditions.add(`(written <= ${conditions.value(end.written)}::xid8 OR written >= ${conditions.value(limit)}::xid8)`);
  const { rows } = await readerPool().query<ShownRow>(
    `SELECT ${SHOWN} FROM audit_events e WHERE ${conditions} ORDER BY id LIMIT ${MAX_AFTER_RESTORE}`,
    conditions.values,
  );
  return { rows, next: { position: end, from: now - SKEW_MS, readAt: now } };
}

/** Streams have connections of their own in the web process; they ask for as long as somebody listens. */
function readerPool(): pg.Pool {
  const purpose = defaultPurpose();
  return auditPool(purpose === "request" ? "stream" : purpose);
}

/** Statistics of what was just written lag behind; going by them PostgreSQL would sort all of it again for every page. */
async function inOrder<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
  const options = { readOnly: true, settings: { enable_sort: "off" } };
  const { rows } = await withTransaction(readerPool(), (client) => client.query<Row>(text, values), options);
  return rows;
}

function isBefore(one: Position, other: Position): boolean {
  const [a, b] = [BigInt(one.written), BigInt(other.written)];
  return a < b || (a === b && one.id < other.id);
}

/** Of a position behind all events of its transaction. */
export const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

interface LogEnd {
  end: Position;
  /** The first transaction that this cluster has not begun. */
  limit: string;
}

/** What was written by a transaction no older than one that still runs may yet be overtaken by it: the log ends before. */
async function readEnd(): Promise<LogEnd> {
  const { rows } = await readerPool().query<{ written: string; limit: string }>(
    `SELECT (pg_snapshot_xmin(now)::text::bigint - 1)::text AS written, pg_snapshot_xmax(now)::text AS limit
     FROM pg_current_snapshot() AS now`,
  );
  const [{ written, limit } = { written: "0", limit: "0" }] = rows;
  return { end: { written, id: LAST_ID }, limit };
}

/** Behind every event that is visible for good. */
export async function endOfLog(): Promise<Position> {
  return (await readEnd()).end;
}
