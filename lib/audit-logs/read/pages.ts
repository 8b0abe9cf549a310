import { SHOWN, type ShownRow } from "@/lib/audit-logs/audit-event";
import type { Filters } from "@/lib/audit-logs/filters";
import { rangeOf, type Scope } from "@/lib/audit-logs/scope";
import { kept, where } from "@/lib/audit-logs/where";
import { auditPool } from "@/lib/db/audit";
import { defaultPurpose, type Purpose } from "@/lib/db/purposes";
import { isUnavailable } from "@/lib/db/unavailable";
import { idAt, idTime } from "@/lib/ids";

export type Order = "asc" | "desc";

const DAY_MS = 86_400_000;
/** Days in the first search window. */
const FIRST_WINDOW_DAYS = 2;
/** The next window is as wide as the last one suggests is enough, times this factor; at most MAX_WIDENING_FACTOR times as wide. */
const OVERFETCH_FACTOR = 1.5;
const MAX_WIDENING_FACTOR = 6;
/** The next window has at least this fraction of the last width, however little time is left, so that every request makes progress. */
const MIN_NARROWING_FACTOR = 0.25;
/** Milliseconds after which no further window is searched: a rare match in years of events is returned page by page. */
const SEARCH_TIMEOUT_MS = 2_000;
/** Events to scan in order before the index of tokens is used. */
const SCAN_LIMIT = 1_000;

/** The result of a search, and the id after which to continue if it ran out of time before `limit` events or the end of the range. */
interface Found {
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
  const deadline = performance.now() + timeoutMs;
  const found: ShownRow[] = [];
  const ascending = order === "asc";
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
  const isPlain = Object.entries(filters).every(([name, value]) => value === undefined || /^(since|until)$/.test(name));
  let hasScanned = isPlain;
  let days = firstWindowDays;
  let edge = ascending
    ? Math.max(range.from, after ? idTime(after) : 0)
    : Math.min(range.to, after ? idTime(after) + 1 : Infinity);
  const start = edge;
  while (found.length < limit && (ascending ? edge < range.to : edge > range.from)) {
    const far = ascending ? Math.min(range.to, edge + days * DAY_MS) : Math.max(range.from, edge - days * DAY_MS);
    const [from, to] = ascending ? [edge, far] : [far, edge];
    const [before, beganAt] = [found.length, performance.now()];
    try {
      if (!hasScanned) await read(from, to, "scan");
      hasScanned = true;
      if (found.length < limit) await read(from, to, isPlain ? "in order" : "by index");
    } catch (error) {
      // The database's time limit: return what was found before this window, and continue the search from it.
      if (edge === start || !isUnavailable(error)) throw error;
      return { rows: found.slice(0, before), resume: idAt(edge) };
    }
    edge = far;
    const enough = Math.max(
      ((limit - found.length) / (found.length - before)) * OVERFETCH_FACTOR,
      firstWindowDays / days,
    );
    const affordable = (deadline - performance.now()) / (performance.now() - beganAt);
    const isComplete = ascending ? edge >= range.to : edge <= range.from;
    if (affordable <= 0 && found.length < limit && !isComplete) return { rows: found, resume: idAt(edge) };
    days *= Math.min(MAX_WIDENING_FACTOR, enough, Math.max(affordable, MIN_NARROWING_FACTOR));
  }
  return { rows: found, resume: null };
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
