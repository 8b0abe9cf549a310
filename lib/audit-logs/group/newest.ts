import type pg from "pg";
import { type Filters, isReadInOrder } from "@/lib/audit-logs/filters";
import { searchWindows } from "@/lib/audit-logs/read/windows";
import { rangeOf, type Scope } from "@/lib/audit-logs/scope";
import { type Conditions, where } from "@/lib/audit-logs/where";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { idAt, idTime } from "@/lib/ids";

/** Maximum events to group, newest first. */
const MAX_GROUPED_EVENTS = 50_000;
/** Milliseconds after which no further window is searched. */
const SEARCH_TIMEOUT_MS = 5_000;
const FIRST_WINDOW_DAYS = 1 / 24;

/** The part of a range whose events are grouped. Unix milliseconds, half-open. */
export interface GroupedRange {
  from: number;
  to: number;
  /** Whether the range that was asked for begins earlier. */
  hasEarlier: boolean;
}

/** The newest part of the range of the filters with at most `most` matching events that can be searched in time. */
export async function newestRange(scope: Scope, filters: Filters, most = MAX_GROUPED_EVENTS): Promise<GroupedRange> {
  const { from } = rangeOf(scope, filters);
  const now = Date.now() + 1;
  const to = Math.max(from, Math.min(filters.until ?? now, now));
  let found = 0;
  let since = from;
  const { edge } = await searchWindows({
    ...{ from, to, order: "desc", limit: most + 1 },
    ...{ timeoutMs: SEARCH_TIMEOUT_MS, firstWindowDays: FIRST_WINDOW_DAYS },
    read: async (start, end) => {
      const { events, cut } = await countNewest(scope, filters, start, end, most - found);
      found += events;
      // A millisecond is counted completely or not at all.
      if (cut !== null) since = idTime(cut) + 1;
      return events;
    },
  });
  const start = edge ?? since;
  return { from: start, to, hasEarlier: start > from };
}

/** The query of the newest ids that match, at most `most`. `matching` are the conditions of the filters, with bounds for the id. */
export function newestIds(matching: Conditions, filters: Filters, most: number): string {
  // OFFSET 0 makes the planner use the index of tokens; a range alone is read in order of the primary key.
  const source = isReadInOrder(filters)
    ? `SELECT id FROM audit_events WHERE ${matching}`
    : `SELECT id FROM (SELECT id FROM audit_events WHERE ${matching} OFFSET 0) AS found`;
  return `${source} ORDER BY id DESC LIMIT ${most}`;
}

/** Counts the matching events of a window up to `most` + 1; `cut` is the id of the one beyond `most`, counted from the newest. */
async function countNewest(scope: Scope, filters: Filters, from: number, to: number, most: number) {
  const { since: _since, until: _until, ...chosen } = filters;
  const matching = where(scope, chosen);
  matching.add(`id >= ${matching.value(idAt(from))} AND id < ${matching.value(idAt(to))}`);
  const { rows } = await auditPool("report").query<{ events: string; cut: string | null }>(
    `SELECT count(*) AS events, (array_agg(id))[${most + 1}] AS cut FROM (${newestIds(matching, filters, most + 1)}) AS newest`,
    matching.values,
  );
  return { events: Number(rows[0]?.events ?? 0), cut: rows[0]?.cut ?? null };
}

/** Runs a statement that groups many events. With the default memory, PostgreSQL would sort them on disk instead. */
export async function queryGroups<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
  const options = { readOnly: true, settings: { work_mem: "32MB" } };
  const { rows } = await withTransaction(auditPool("report"), (client) => client.query<Row>(text, values), options);
  return rows;
}
