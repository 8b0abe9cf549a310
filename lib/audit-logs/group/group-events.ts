import { assertRange } from "@/lib/audit-logs/filters";
import { type CountedRange, type CountedRow, type Counting, countNewest } from "@/lib/audit-logs/group/count-newest";
import { dimensionColumns, dimensionSql, type GroupDimension, textSql } from "@/lib/audit-logs/group/dimensions";
import type { AuditGroup, groupAuditLogs as contract } from "@/lib/audit-logs/group/group-events-contract";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

const MAX_GROUPS = 100;
const SERIES_INTERVALS = 30;

interface Row extends CountedRow {
  /** Null if there is no group. */
  first_text: string | null;
  second_text: string | null;
  first_name: string | null;
  second_name: string | null;
  events: string;
  first_at: Date;
  last_at: Date;
  parts: number[];
  counts: string[];
  groups: string;
}

/**
 * The matching events grouped by one or two dimensions, largest groups first. Only the newest part of the range is counted if many
 * events match. Throws 400.
 */
export async function groupAuditLogs(
  { organizationId }: Principal,
  { by, ...filters }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  assertRange(filters);
  const scope = await scopeOf(organizationId);
  const { rows, events, range } = await countNewest<Row>(scope, filters, groupsCounting(by));
  const step = stepOf(range);
  return {
    since: new Date(range.from).toISOString(),
    until: new Date(range.to).toISOString(),
    has_earlier: range.hasEarlier,
    events,
    retention_days: scope.days,
    series_starts: Array.from({ length: SERIES_INTERVALS }, (_, at) => new Date(range.from + at * step).toISOString()),
    groups: rows.flatMap((row) => (row.first_text === null ? [] : [toGroup(row)])),
    unique_groups: Number(rows[0]?.groups ?? 0),
  };
}

/** Milliseconds of an interval of the series. */
function stepOf({ from, to }: CountedRange): number {
  return Math.max(1, (to - from) / SERIES_INTERVALS);
}

function toGroup(row: Row): AuditGroup {
  const { first_text, second_text, first_name, second_name, events, first_at, last_at, parts, counts } = row;
  const series = Array.from({ length: SERIES_INTERVALS }, () => 0);
  for (const [at, part] of parts.entries()) series[part] = Number(counts[at]);
  return {
    values: [first_text, second_text].filter((value) => value !== null),
    names: second_text === null ? [first_name] : [first_name, second_name],
    events: Number(events),
    first_at: first_at.toISOString(),
    last_at: last_at.toISOString(),
    series,
  };
}

/** The display name of a value as SQL over columns of an event. */
function nameSql(dimension: GroupDimension): string {
  if (dimension === "api_key_id") return "api_key_name";
  return dimension === "user_id" ? "user_name" : "NULL::text";
}

/** Counts by value and interval, then keeps the largest groups with their series. */
function groupsCounting(by: readonly GroupDimension[]): Counting {
  const [first, second] = by.map((dimension) => dimensionSql[dimension]);
  const [firstText, secondText] = by.map((dimension, at) =>
    textSql(dimension, at === 0 ? "first_value" : "second_value"),
  );
  const [firstName, secondName] = by.map(nameSql);
  const part = (to: number) =>
    `greatest(0, least(${SERIES_INTERVALS - 1}, floor((extract(epoch FROM occurred_at)::float8 * 1000 - since) / greatest(1, (${to} - since) / ${SERIES_INTERVALS}::float8))))::integer`;
  const [flags, isFirst] = by.includes("flag")
    ? ["LEFT JOIN LATERAL unnest(flags) WITH ORDINALITY AS flagged (flag, nth) ON true", "coalesce(nth, 1) = 1"]
    : ["", "true"];
  const rest = (to: number) => `
parts AS (
  SELECT ${first} AS first_value, ${second ?? "NULL::text"} AS second_value, ${part(to)} AS part, count(*) AS events,
    count(*) FILTER (WHERE ${isFirst}) AS counted, min(occurred_at) AS first_at, max(occurred_at) AS last_at,
    max(${firstName}) AS first_name, max(${secondName ?? "NULL::text"}) AS second_name
  FROM bound CROSS JOIN counted ${flags} GROUP BY 1, 2, 3
), groups AS (
  SELECT ${firstText} AS first_text, ${secondText ?? "NULL::text"} AS second_text, max(first_name) AS first_name, max(second_name) AS second_name, sum(events) AS events, min(first_at) AS first_at,
    max(last_at) AS last_at, array_agg(part) AS parts, array_agg(events) AS counts, count(*) OVER () AS groups
  FROM parts WHERE first_value IS NOT NULL${second === undefined ? "" : " AND second_value IS NOT NULL"}
  GROUP BY first_value, second_value ORDER BY events DESC, 1, 2 LIMIT ${MAX_GROUPS}
)
SELECT totals.total, bound.since, groups.* FROM bound CROSS JOIN (SELECT coalesce(sum(counted), 0) AS total FROM parts) AS totals LEFT JOIN groups ON true
ORDER BY events DESC, first_text, second_text`;
  return { columns: [...new Set(["occurred_at", ...by.flatMap((dimension) => dimensionColumns[dimension])])], rest };
}
