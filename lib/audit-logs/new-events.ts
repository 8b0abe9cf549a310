import type pg from "pg";
import { SHOWN } from "@/lib/audit-logs/audit-event";
import type { Filters } from "@/lib/audit-logs/filters";
import type { AuditRow } from "@/lib/audit-logs/recording";
import { scopeOf } from "@/lib/audit-logs/scope";
import { where } from "@/lib/audit-logs/where";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { idAt } from "@/lib/ids";

const AT_ONCE = 200;
/** Events that reach the log later than this after they occurred are in it, but not among the new ones. */
export const LATE_MS = 2 * 86_400_000;

/** A place in the order in which events became visible: behind this event of this transaction. */
export interface Position {
  written: string;
  id: string;
}

/** Where a reader is, and the time (Unix milliseconds) before which nothing new for it can have occurred. */
export interface Place {
  position: Position;
  from: number;
}

/** The next events behind a place, and the place behind them: where they are all there are, the end of the log as it was. */
export async function newEvents(
  organizationId: string,
  filters: Filters,
  { position, from }: Place,
): Promise<{ rows: AuditRow[]; next: Place }> {
  const now = Date.now();
  const end = await endOfLog();
  // Whoever resumes behind an event that the list shows already may be further than the end.
  if (!isBefore(position, end)) return { rows: [], next: { position, from } };
  const scope = await scopeOf(organizationId);
  const conditions = where(scope, filters);
  conditions.add(`id >= ${conditions.value(idAt(Math.max(scope.oldest, from, filters.since ?? 0)))}`);
  if (filters.until !== undefined) conditions.add(`id < ${conditions.value(idAt(filters.until))}`);
  conditions.add(
    `(written, id) > (${conditions.value(position.written)}::xid8, ${conditions.value(position.id)}::uuid)`,
  );
  conditions.add(`written <= ${conditions.value(end.written)}::xid8`);
  const rows = await inOrder<AuditRow & Position>(
    // By the column, not by its text beside it, in which 1000 comes before 999.
    `SELECT ${SHOWN}, written::text FROM audit_events e WHERE ${conditions} ORDER BY e.written, id LIMIT ${AT_ONCE}`,
    conditions.values,
  );
  const last = rows.at(AT_ONCE - 1);
  return { rows, next: last ? { position: last, from } : { position: end, from: now - LATE_MS } };
}

/** Statistics of what was just written lag behind; going by them PostgreSQL would sort all of it again for every page. */
async function inOrder<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
  const options = { readOnly: true, settings: { enable_sort: "off" } };
  const { rows } = await withTransaction(auditPool(), (client) => client.query<Row>(text, values), options);
  return rows;
}

function isBefore(one: Position, other: Position): boolean {
  const [a, b] = [BigInt(one.written), BigInt(other.written)];
  return a < b || (a === b && one.id < other.id);
}

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** What was written by a transaction no older than one that still runs may yet be overtaken by it: the log ends before. */
export async function endOfLog(): Promise<Position> {
  const { rows } = await auditPool().query<{ written: string }>(
    "SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text AS written",
  );
  return { written: rows[0]?.written ?? "0", id: LAST_ID };
}
