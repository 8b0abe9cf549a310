import type pg from "pg";
import { SHOWN, type ShownRow } from "@/lib/audit-logs/audit-event";
import { addFilters, Conditions } from "@/lib/audit-logs/conditions";
import type { Filters } from "@/lib/audit-logs/filters";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { where } from "@/lib/audit-logs/scope/where";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { defaultPurpose } from "@/lib/db/purposes";
import { AFTER_ANY_ID, BEFORE_ANY_ID, idAt } from "@/lib/ids";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";

/** Maximum events per read. */
export const PAGE_SIZE = 200;
/** Maximum events that a read compares with the filters, however few match: the next read continues after them. */
export const MAX_COMPARED = 20_000;
/** Events that reach the log later than this after they occurred are stored, but not reported as new. */
export const MAX_ARRIVAL_DELAY_MS = 2 * 86_400_000;

/** Maximum events that a reader with a lost position reads in one go. */
const MAX_AFTER_RESTORE = 10_000;
/** Maximum clock difference, and maximum time for an event to reach the log, in milliseconds. */
const MAX_CLOCK_SKEW_MS = 10_000;
const WARNING_INTERVAL_MS = 3_600_000;
/** How long `quietLogs` may take, in milliseconds. */
const QUIET_MS = 5_000;

/** A position in the order in which events became visible: after this event of this transaction. */
export interface Position {
  written: string;
  id: string;
}

/** Before all events. */
export const START_OF_LOG: Position = { written: "0", id: BEFORE_ANY_ID };

/** The state of a reader. Times in Unix milliseconds. */
export interface LogCursor {
  position: Position;
  /** New events for this reader occurred at or after this time. */
  from: number;
  /** Time at which the reader had read everything; default: MAX_ARRIVAL_DELAY_MS after `from`. */
  readAt?: number;
}

/** What was read of the log. */
interface NewEvents {
  rows: ShownRow[];
  next: LogCursor;
  /** Whether the log may go on after `next`, also if no row matched. */
  hasMore: boolean;
}

/**
 * The next events after a cursor, and the cursor after them; without further events, the end of the log at that time. A position from
 * another database cluster, as after a restore, is recovered by time.
 */
export async function newEvents(organizationId: string, filters: Filters, cursor: LogCursor): Promise<NewEvents> {
  const now = Date.now();
  const { end, limit } = await readEnd();
  const { position, from } = cursor;
  if (BigInt(position.written) >= BigInt(limit))
    return readRestored(organizationId, filters, cursor, { end, limit, now });
  // A reader that resumes after an event in the list may be beyond the end.
  if (!isBefore(position, end)) return { rows: [], next: cursor, hasMore: false };
  const conditions = await withinScope(organizationId, filters, from);
  conditions.add(
    `(written, id) > (${conditions.value(position.written)}::xid8, ${conditions.value(position.id)}::uuid)`,
  );
  conditions.add(`written <= ${conditions.value(end.written)}::xid8`);
  const rows = await inOrder<ShownRow & Position & { matches: boolean; is_last: boolean }>(
    // Sort by the column, not by its text, in which 1000 precedes 999.
    `SELECT ${SHOWN}, written::text, matches, number = ${MAX_COMPARED} AS is_last FROM (
       SELECT *, row_number() OVER (ORDER BY written, id) AS number, ${matching(conditions, filters)} AS matches
       FROM audit_events WHERE ${conditions} ORDER BY written, id LIMIT ${MAX_COMPARED}
     ) AS e WHERE matches OR number = ${MAX_COMPARED} ORDER BY e.written, id LIMIT ${PAGE_SIZE}`,
    conditions.values,
  );
  const last = rows.at(-1);
  const hasMore = last !== undefined && (rows.length === PAGE_SIZE || last.is_last);
  const next = hasMore ? { ...cursor, position: { written: last.written, id: last.id } } : atEnd(cursor, end, now);
  return { rows: rows.filter(({ matches }) => matches), next, hasMore };
}

/** The state of a reader that has read everything. */
function atEnd({ from }: LogCursor, end: Position, now: number): LogCursor {
  return { position: end, from: Math.max(from, now - MAX_ARRIVAL_DELAY_MS), readAt: now };
}

/**
 * For the organizations whose log has no security event after the given cursor, the cursor at the end of the log. Organizations whose
 * cursor is from another database cluster are left out. One statement for all of them, with a short limit of time: an organization with
 * very many new events delays no other.
 */
export async function quietLogs(cursors: ReadonlyMap<string, LogCursor>): Promise<Map<string, LogCursor>> {
  const now = Date.now();
  const all = [...cursors.values()];
  const froms = all.map(({ from }) => idAt(from));
  const rows = await inOrder<{ organization_id: string; written: string; limit: string }>(
    `SELECT c.organization_id, (pg_snapshot_xmin(now)::text::bigint - 1)::text AS written, pg_snapshot_xmax(now)::text AS limit
     FROM pg_current_snapshot() AS now
     CROSS JOIN unnest($1::uuid[], $2::xid8[], $3::uuid[], $4::uuid[]) AS c (organization_id, written, id, since)
     WHERE (
       SELECT e.id FROM audit_events e
       WHERE e.organization_id = c.organization_id AND e.id >= $5::uuid AND e.id >= c.since
         AND (e.written, e.id) > (c.written, c.id) AND e.is_security_event
       ORDER BY e.written, e.id LIMIT 1
     ) IS NULL`,
    [
      [...cursors.keys()],
      all.map(({ position }) => position.written),
      all.map(({ position }) => position.id),
      froms,
      froms.toSorted()[0],
    ],
    { statementMs: QUIET_MS },
  );
  return new Map(
    rows.flatMap(({ organization_id, written, limit }) => {
      const cursor = cursors.get(organization_id);
      if (cursor === undefined || BigInt(cursor.position.written) >= BigInt(limit)) return [];
      const end = { written, id: LAST_ID };
      return [[organization_id, isBefore(cursor.position, end) ? atEnd(cursor, end, now) : cursor] as const];
    }),
  );
}

/** Conditions for events within the times of the filters that did not occur before `from`. */
async function withinScope(organizationId: string, filters: Filters, from: number): Promise<Conditions> {
  const scope = await scopeOf(organizationId);
  const conditions = where(scope, {});
  conditions.add(`id >= ${conditions.value(idAt(Math.max(scope.oldest, from, filters.since ?? 0)))}`);
  if (filters.until !== undefined) conditions.add(`id < ${conditions.value(idAt(filters.until))}`);
  return conditions;
}

/** SQL: whether an event matches the filters, their times apart. Never null. */
function matching({ values }: Conditions, filters: Filters): string {
  const all = new Conditions(values);
  addFilters(all, filters);
  return `${all}` || "true";
}

/**
 * Reads restored events after the cursor's position and events of this cluster since the cursor was last read, and continues at the
 * end of the log. Restored events have transaction numbers of the old cluster, which are in the future here; they are read now, and not
 * again when this cluster reaches those numbers.
 */
async function readRestored(
  organizationId: string,
  filters: Filters,
  { position, from, readAt = from + MAX_ARRIVAL_DELAY_MS }: LogCursor,
  { end, limit, now }: LogEnd & { now: number },
): Promise<NewEvents> {
  const warned = processSingleton("audit-logs.restore", () => ({ at: Number.NEGATIVE_INFINITY }));
  if (now - warned.at > WARNING_INTERVAL_MS) {
    log.warn(
      { organization_id: organizationId, position: position.written, end: end.written },
      "a position is beyond the end of the audit log, as after a restore: reading events by time once",
    );
    warned.at = now;
  }
  const conditions = await withinScope(organizationId, filters, from);
  conditions.add(matching(conditions, filters));
  const since = conditions.value(idAt(Math.min(readAt, now)));
  // A reader within a page resumes after its last event.
  const after = position.id === LAST_ID ? since : `greatest(${since}, ${conditions.value(position.id)}::uuid)`;
  const [written, id] = [conditions.value(position.written), conditions.value(position.id)];
  conditions.add(`(written <= ${conditions.value(end.written)}::xid8 AND id > ${after}
    OR written >= ${conditions.value(limit)}::xid8 AND (written, id) > (${written}::xid8, ${id}::uuid))`);
  const { rows } = await readerPool().query<ShownRow>(
    `SELECT ${SHOWN} FROM audit_events e WHERE ${conditions} ORDER BY id LIMIT ${MAX_AFTER_RESTORE}`,
    conditions.values,
  );
  return { rows, next: { position: end, from: now - MAX_CLOCK_SKEW_MS, readAt: now }, hasMore: true };
}

/** Streams have their own connections in the web process, because they query as long as a client is connected. */
function readerPool(): pg.Pool {
  const purpose = defaultPurpose();
  return auditPool(purpose === "request" ? "stream" : purpose);
}

/** Disables sorting: statistics of new rows lag behind, and PostgreSQL would otherwise sort all of them for every page. */
async function inOrder<Row extends pg.QueryResultRow>(
  text: string,
  values: unknown[],
  limits: { statementMs?: number } = {},
): Promise<Row[]> {
  const options = { readOnly: true, settings: { enable_sort: "off" }, ...limits };
  const { rows } = await withTransaction(readerPool(), (client) => client.query<Row>(text, values), options);
  return rows;
}

function isBefore(one: Position, other: Position): boolean {
  const [a, b] = [BigInt(one.written), BigInt(other.written)];
  return a < b || (a === b && one.id < other.id);
}

/** For a position after all events of its transaction. */
export const LAST_ID = AFTER_ANY_ID;

interface LogEnd {
  end: Position;
  /** The first transaction that this cluster has not started. */
  limit: string;
}

/** The log ends before the oldest running transaction, because it may still commit rows before those of newer transactions. */
async function readEnd(): Promise<LogEnd> {
  const { rows } = await readerPool().query<{ written: string; limit: string }>(
    `SELECT (pg_snapshot_xmin(now)::text::bigint - 1)::text AS written, pg_snapshot_xmax(now)::text AS limit
     FROM pg_current_snapshot() AS now`,
  );
  const [{ written, limit } = { written: "0", limit: "0" }] = rows;
  return { end: { written, id: LAST_ID }, limit };
}

/** The position after all permanently visible events. */
export async function endOfLog(): Promise<Position> {
  return (await readEnd()).end;
}
