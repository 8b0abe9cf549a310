import { SHOWN } from "@/lib/audit-logs/audit-event";
import type { Filters } from "@/lib/audit-logs/filters";
import type { AuditRow } from "@/lib/audit-logs/recording";
import { rangeOf, type Scope } from "@/lib/audit-logs/scope";
import { where } from "@/lib/audit-logs/where";
import { auditPool } from "@/lib/db/audit";
import { idAt, idTime } from "@/lib/ids";

export type Order = "asc" | "desc";

const DAY_MS = 86_400_000;
/** Days in the first window that is searched. */
const FIRST_WINDOW_DAYS = 2;
/** Each next one is as wide as the last one lets expect to be enough, and half as much again; at most so much wider. */
const SPARE = 1.5;
const WIDENING = 6;

/**
 * At most `limit` events after (or, descending, before) the id `after`. The range is searched in windows that widen from
 * where reading begins: a page of recent events opens the partitions of two days, not of years.
 */
export async function readPage(
  scope: Scope,
  filters: Filters,
  order: Order,
  limit: number,
  after: string | null,
  columns = SHOWN,
): Promise<AuditRow[]> {
  const range = rangeOf(scope, filters);
  const found: AuditRow[] = [];
  const ascending = order === "asc";
  let days = FIRST_WINDOW_DAYS;
  let edge = ascending
    ? Math.max(range.from, after ? idTime(after) : 0)
    : Math.min(range.to, after ? idTime(after) + 1 : Infinity);
  while (found.length < limit && (ascending ? edge < range.to : edge > range.from)) {
    const far = ascending ? Math.min(range.to, edge + days * DAY_MS) : Math.max(range.from, edge - days * DAY_MS);
    const conditions = where(scope, filters);
    const [from, to] = ascending ? [edge, far] : [far, edge];
    conditions.add(`id >= ${conditions.value(idAt(from))} AND id < ${conditions.value(idAt(to))}`);
    if (after !== null) conditions.add(`id ${ascending ? ">" : "<"} ${conditions.value(after)}`);
    const missing = limit - found.length;
    const { rows } = await auditPool().query<AuditRow>(
      `SELECT ${columns} FROM audit_events WHERE ${conditions} ORDER BY id ${order} LIMIT ${missing}`,
      conditions.values,
    );
    for (const row of rows) found.push(row);
    edge = far;
    const enough = ((missing - rows.length) / rows.length) * SPARE;
    days = Math.max(FIRST_WINDOW_DAYS, days * Math.min(WIDENING, enough));
  }
  return found;
}
