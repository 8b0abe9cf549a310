import { SHOWN, type ShownRow } from "@/lib/audit-logs/audit-event";
import { type Filters, isReadInOrder } from "@/lib/audit-logs/filters";
import { type Order, searchWindows } from "@/lib/audit-logs/read/windows";
import { rangeOf, type Scope } from "@/lib/audit-logs/scope/scope";
import { kept, where } from "@/lib/audit-logs/scope/where";
import { auditPool } from "@/lib/db/audit";
import { defaultPurpose, type Purpose } from "@/lib/db/purposes";
import { idAt, idTime } from "@/lib/ids";

/** Days in the first search window. */
const FIRST_WINDOW_DAYS = 2;
/** Milliseconds after which no further window is searched: a rare match in years of events is returned page by page. */
const SEARCH_TIMEOUT_MS = 2_000;
/** Events to scan in order before the index of tokens is used. */
const SCAN_LIMIT = 1_000;

/** The result of a search, and the id after which to continue if it ran out of time before `limit` events or the end of the range. */
export interface Found {
  rows: ShownRow[];
  resume: string | null;
}

/**
 * At most `limit` events after (or, descending, before) the id `after`. The range is searched in windows that widen from the start: a
 * page of recent events opens the partitions of two days, not of years. If one event in twenty matches, a scan fills a page; rarer
 * matches are found by the index of tokens. A window starts only if it is expected to end within `timeoutMs`.
 */
export async function readPage(
  scope: Scope,
  filters: Filters,
  order: Order,
  limit: number,
  after: string | null,
  {
    columns = SHOWN,
    timeoutMs = SEARCH_TIMEOUT_MS,
    firstWindowDays = FIRST_WINDOW_DAYS,
    purpose = defaultPurpose(),
  }: { columns?: string; timeoutMs?: number; firstWindowDays?: number; purpose?: Purpose } = {},
): Promise<Found> {
  const range = rangeOf(scope, filters);
  const found: ShownRow[] = [];
  const read = async (from: number, to: number, strategy: Strategy) => {
    const last = found.at(-1)?.id ?? after;
    const { text, values } = pageQuery(
      scope,
      filters,
      { from, to, last, order, columns, limit: limit - found.length },
      strategy,
    );
    const { rows } = await auditPool(purpose).query<ShownRow>(text, values);
    for (const row of rows) found.push(row);
  };
  const isPlain = isReadInOrder(filters);
  let hasScanned = isPlain;
  const { count, edge } = await searchWindows({
    ...range,
    ...(after !== null &&
      (order === "asc"
        ? { from: Math.max(range.from, idTime(after)) }
        : { to: Math.min(range.to, idTime(after) + 1) })),
    ...{ order, limit, timeoutMs, firstWindowDays },
    read: async (from, to) => {
      const before = found.length;
      if (!hasScanned) await read(from, to, "scan");
      hasScanned = true;
      if (found.length < limit) await read(from, to, isPlain ? "in order" : "by index");
      return found.length - before;
    },
  });
  return { rows: found.slice(0, count), resume: edge === null ? null : idAt(edge) };
}

type Strategy = "in order" | "scan" | "by index";

interface Reading {
  /** The window, Unix milliseconds, half-open. */
  from: number;
  to: number;
  /** The id after which to read. */
  last: string | null;
  order: Order;
  columns: string;
  limit: number;
}

function pageQuery(
  scope: Scope,
  filters: Filters,
  { from, to, last, order, columns, limit }: Reading,
  strategy: Strategy,
) {
  const fitting = where(scope, filters);
  const window = [`id >= ${fitting.value(idAt(from))} AND id < ${fitting.value(idAt(to))}`];
  if (last !== null) window.push(`id ${order === "asc" ? ">" : "<"} ${fitting.value(last)}`);
  const page = `ORDER BY id ${order} LIMIT ${limit}`;
  const source = (conditions: string[], rest: string) =>
    `SELECT ${columns} FROM (SELECT * FROM audit_events WHERE ${conditions.join(" AND ")} ${rest}) AS events`;
  const text = {
    "in order": () => `${source([`${fitting}`, ...window], "")} ${page}`,
    scan: () =>
      `${source([...kept(fitting, scope), ...window], `ORDER BY id ${order} LIMIT ${SCAN_LIMIT}`)} WHERE ${fitting} ${page}`,
    // OFFSET 0 makes the planner use the index; with a limit it would scan the window instead.
    "by index": () => `${source([`${fitting}`, ...window], "OFFSET 0")} ${page}`,
  };
  return { text: text[strategy](), values: fitting.values };
}
