import type pg from "pg";
import type { Filters } from "@/lib/audit-logs/filters";
import { newestRows } from "@/lib/audit-logs/group/newest";
import { type Limits, widen } from "@/lib/audit-logs/group/widen";
import { rangeOf, type Scope } from "@/lib/audit-logs/scope/scope";
import { where } from "@/lib/audit-logs/scope/where";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { isUnavailable } from "@/lib/db/unavailable";
import { idAt } from "@/lib/ids";

/** How many events are counted, and for how long. */
export const GROUP_LIMITS: Limits = { most: 50_000, least: 10_000, budgetMs: 200 };
const FIRST_WIDTH_MS = 3_600_000;

/** The part of a range whose events are counted. Unix milliseconds, half-open. */
export interface CountedRange {
  from: number;
  to: number;
  /** Whether the range that was asked for begins earlier. */
  hasEarlier: boolean;
}

/** A row has the start of what was counted; the first also the number of events. */
export interface CountedRow extends pg.QueryResultRow {
  since: string;
  total: string;
}

/** What counts the events of `counted`. Its rows have `total`, and at least one `since` from `bound`. */
export interface Counting {
  /** The columns of `audit_events` that it reads, besides the id. */
  columns: readonly string[];
  /** The rest of a statement that begins with `WITH …`; `to` is the end of the range. */
  rest: (to: number) => string;
}

/**
 * Counts the newest matching events of the range of the filters: between `least` and `most` of them, as many as can be counted within
 * `budgetMs`, or all if there are fewer. Each statement counts a whole range up to its end, and is repeated with a wider one if that
 * was not enough.
 */
export async function countNewest<Row extends CountedRow>(
  scope: Scope,
  filters: Filters,
  counting: Counting,
  limits: Limits = GROUP_LIMITS,
): Promise<{ rows: Row[]; events: number; range: CountedRange }> {
  const { from } = rangeOf(scope, filters);
  const now = Date.now() + 1;
  const to = Math.max(from, Math.min(filters.until ?? now, now));
  const beganAt = performance.now();
  let found: { rows: Row[]; events: number; range: CountedRange } | null = null;
  for (let width = FIRST_WIDTH_MS; ; ) {
    const startedAt = performance.now();
    const start = Math.max(from, to - Math.ceil(width));
    const { text, values } = statement(scope, filters, counting, { from: start, to }, limits.most);
    let rows: Row[];
    try {
      rows = await queryRows<Row>(text, values);
    } catch (error) {
      // The database's time limit: what a narrower range has is complete.
      if (found === null || !isUnavailable(error)) throw error;
      return found;
    }
    const events = Number(rows[0]?.total ?? 0);
    const since = Number(rows[0]?.since ?? start);
    found = { rows, events, range: { from: since, to, hasEarlier: since > from } };
    if (since > start || start === from) return found;
    const now = performance.now();
    const factor = widen({ events, tookMs: now - startedAt, passedMs: now - beganAt }, limits);
    if (factor === null) return found;
    width *= factor;
  }
}

/** The time in an id as SQL, in Unix milliseconds. */
const MS = "('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint";

function statement(
  scope: Scope,
  filters: Filters,
  { columns, rest }: Counting,
  { from, to }: { from: number; to: number },
  most: number,
): { text: string; values: unknown[] } {
  const { since: _since, until: _until, ...chosen } = filters;
  const matching = where(scope, chosen);
  matching.add(`id >= ${matching.value(idAt(from))} AND id < ${matching.value(idAt(to))}`);
  // A millisecond is counted completely or not at all.
  const text = `
WITH newest AS MATERIALIZED (${newestRows(matching, filters, most + 1, ["id", ...columns])}),
bound AS MATERIALIZED (SELECT coalesce((SELECT ${MS} + 1 FROM newest OFFSET ${most} LIMIT 1), ${from}) AS since),
counted AS (
  SELECT * FROM newest WHERE id >= (SELECT (lpad(to_hex(since), 12, '0') || repeat('0', 20))::uuid FROM bound)
), ${rest(to)}`;
  return { text, values: matching.values };
}

/** Runs a statement that groups many events. With the default memory, PostgreSQL would sort them on disk instead. */
async function queryRows<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
  const options = { readOnly: true, settings: { work_mem: "32MB" } };
  const { rows } = await withTransaction(auditPool("report"), (client) => client.query<Row>(text, values), options);
  return rows;
}
