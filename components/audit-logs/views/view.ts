import { WITHOUT_READS } from "@/lib/audit-logs/via";
import { type Column, columns, defaultColumns } from "@/lib/audit-views/columns";
import { DEFAULT_RANGE, ranges } from "@/lib/audit-views/ranges";

/** The path of the audit log explorer. */
export const EXPLORER = "/audit-logs";
export const PAGE_SIZE = 100;
/** Parameters of the page itself; all others are API filters. */
const OWN = new Set(["range", "live", "order", "columns", "entry", "facets", "group", "reads"]);

/** A list of events as its URL describes it. */
export interface View {
  /** The parameters of the URL. */
  params: Record<string, string>;
  /** Null if the URL has `since` or `until` instead. */
  range: string | null;
  /** The query for the API; `since` is computed from the range, and reads in the dashboard are left out unless asked for. */
  query: Record<string, string>;
  live: boolean;
  /** Whether the list leaves out what people only read in the dashboard. */
  hidesReads: boolean;
}

export function readView(params: Record<string, string>, now: number): View {
  const isOwnRange = params.since === undefined && params.until === undefined;
  const range = isOwnRange ? (ranges.find(({ value }) => value === params.range) ?? null) : null;
  const chosen = range ?? ranges.find(({ value }) => value === DEFAULT_RANGE) ?? null;
  const ms = isOwnRange ? (chosen?.ms ?? null) : null;
  const {
    range: _range,
    live: _live,
    columns: _columns,
    entry: _entry,
    facets: _facets,
    group,
    reads,
    ...filters
  } = params;
  const hidesReads = reads !== "shown" && params.via === undefined;
  return {
    params,
    range: isOwnRange ? (chosen?.value ?? null) : null,
    query: {
      ...filters,
      ...(hidesReads && { via: WITHOUT_READS }),
      ...(ms !== null && { since: new Date(now - ms).toISOString() }),
    },
    live: params.live === "1" && params.order !== "asc" && !params.until && !group,
    hidesReads,
  };
}

/** The shortest range that still includes an event at `time`, so that a link from it does not open an empty list. */
export function rangeThatShows(time: number, now: number): string {
  const usual = ranges.findIndex(({ value }) => value === DEFAULT_RANGE);
  return ranges.slice(usual).find(({ ms }) => ms === null || now - time < ms)?.value ?? "all";
}

/** The columns that the URL selects. A time column is always included, because it links to the entry. */
export function chosenColumns(params: Record<string, string>): readonly Column[] {
  const asked = params.columns?.split(",") ?? [];
  const chosen = columns.filter((column) => asked.includes(column));
  if (chosen.length === 0) return defaultColumns;
  return chosen[0] === "time" || chosen[0] === "utc" ? chosen : ["time", ...chosen];
}

/** The active filters, without the parameters that have their own control. */
export function filtersIn(params: Record<string, string>): [string, string][] {
  return Object.entries(params).filter(([name]) => !OWN.has(name) && name !== "since" && name !== "until");
}

/** The active filters as a query string, which leaves out the reads that the list hides. */
export function shownFilters(params: Record<string, string>): string {
  const filters = new URLSearchParams(filtersIn(params));
  if (readView(params, 0).hidesReads) filters.set("via", WITHOUT_READS);
  return filters.toString();
}
