import { addFilters, Conditions } from "@/lib/audit-logs/conditions";
import { type Dimension, expansion } from "@/lib/audit-logs/count/dimensions";
import { type Part, partOf, parts } from "@/lib/audit-logs/count/parts";
import { type intervalMs, type RollupRange, rollupPlan } from "@/lib/audit-logs/count/rollup-plan";
import type { Filters } from "@/lib/audit-logs/filters";
import type { Scope } from "@/lib/audit-logs/scope/scope";
import { inClasses, onHold } from "@/lib/audit-logs/scope/where";
import { latencyBucketSql } from "@/lib/histogram";
import { idAt } from "@/lib/ids";

/** One figure: of a point of the series if it has a `start`, else of the whole range. */
export interface Count {
  start: Date | null;
  dimension: Dimension;
  value: string;
  events: string;
  peak: number | null;
  /** For figures of the whole range: the rank among the values of the dimension, and their number. */
  rank: string | null;
  values: string | null;
}

/** A segment of the range: of all kept events, or only of events on hold. */
type Segment = RollupRange & { isHeld: boolean };

/** Dimensions for which all values are needed, not only the most frequent. */
const WHOLE = list(["total", "status", "security", "latency"]);
/** Dimensions of the series. */
const SERIES: readonly Dimension[] = ["total", "status", "security"];

function list(of: readonly Dimension[]): string {
  return `(${of.map((dimension) => `'${dimension}'`).join(", ")})`;
}

/**
 * One statement for all figures of the dimensions `of`, with a series if there is an interval, so that they come from one snapshot.
 * Without filters, or with or without reads in the dashboard, ranges are counted from rollups and the deltas not yet folded into them,
 * and partial hours from rows; with other filters, everything is counted from rows. Each segment is read only once,
 * at the coarsest granularity required: opening partitions takes longer than reading them.
 */
export function statsQuery(
  scope: Scope,
  { since, until, ...filters }: Filters,
  from: number,
  to: number,
  interval: keyof typeof intervalMs | null,
  of: readonly Dimension[],
): { text: string; values: unknown[] } {
  const part = partOf(filters);
  // Shared with rollups, which have neither ids nor tokens, so the condition of a part is not among them.
  const conditions = new Conditions();
  for (const condition of inClasses(conditions, scope)) conditions.add(condition);
  if (part === null) addFilters(conditions, filters);
  const bucket = { minute: "rows", hour: "hour", day: "day" } as const;
  // Before this time, only some events are on hold, and counted: a hold without filters covers all since it covers any.
  const whole = scope.holds.filter(({ filters }) => Object.keys(filters).length === 0);
  const oldest = Math.min(Math.max(from, Math.min(scope.oldest, ...whole.map(({ coversSince }) => coversSince))), to);
  // Rollups of a former class do not say which of their events are on hold.
  const largestOfHeld = (largest: RollupRange["source"]) => (scope.holds.length > 0 ? "rows" : largest);
  const plan = (largest: RollupRange["source"]): Segment[] => [
    ...rollupPlan(from, oldest, largestOfHeld(largest)).map((range) => ({ ...range, isHeld: true })),
    ...rollupPlan(oldest, to, largest).map((range) => ({ ...range, isHeld: false })),
  ];
  const points = plan(part === null ? "rows" : bucket[interval ?? "day"]);
  const overall = plan(part === null ? "rows" : "day");
  const counted = (segments: Segment[], of: readonly Dimension[]) =>
    (of.length === 0 ? [] : segments).map((segment) =>
      source(scope, conditions, segment, interval, of, parts[part ?? "all"]),
    );
  const inSeries = of.filter((dimension) => SERIES.includes(dimension));
  const others = of.filter((dimension) => !SERIES.includes(dimension));
  const areAlike = JSON.stringify(points) === JSON.stringify(overall);
  const sources = areAlike ? counted(points, of) : [...counted(points, inSeries), ...counted(overall, others)];
  // PostgreSQL refuses parameters that the text does not use.
  const none = `SELECT NULL::timestamptz, '', '', 0::bigint, NULL::integer FROM audit_events WHERE ${conditions} AND false`;
  const text = `
WITH facts (start, dimension, value, events, peak) AS (${sources.join(" UNION ALL ") || none}),
totals AS (SELECT dimension, value, sum(events) AS events, max(peak) AS peak FROM facts GROUP BY dimension, value),
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY dimension ORDER BY events DESC, value) AS rank, count(*) OVER (PARTITION BY dimension) AS values
  FROM totals WHERE events > 0
)
SELECT NULL::timestamptz AS start, dimension, value, events, peak, rank, values FROM ranked
WHERE rank <= 10 OR dimension IN ${WHOLE}
UNION ALL
SELECT start, dimension, value, sum(events), NULL, NULL, NULL FROM facts
WHERE start IS NOT NULL GROUP BY start, dimension, value
ORDER BY rank NULLS LAST, dimension, value`;
  return { text, values: conditions.values };
}

/** Rows of (start, dimension, value, events, peak) from one segment; only dimensions of the series have a start. */
function source(
  scope: Scope,
  conditions: Conditions,
  segment: Segment,
  interval: keyof typeof intervalMs | null,
  of: readonly Dimension[],
  part: Part,
): string {
  const start = (dimension: string, column: string) =>
    interval === null
      ? "NULL::timestamptz"
      : `CASE WHEN ${dimension} IN ${list(SERIES)} THEN date_trunc('${interval}', ${column}, 'UTC') END`;
  const own = segment.isHeld ? `${conditions} AND (${onHold(conditions, scope)})` : `${conditions}`;
  if (segment.source === "rows") {
    const from = conditions.value(idAt(segment.from));
    const to = conditions.value(idAt(segment.to));
    const counts = expansion("flags", latencyBucketSql("response_time_us"), "tokens", of);
    return `SELECT ${start("dimension", "occurred_at")}, dimension, value, count(*), max(peak)
      FROM audit_events CROSS JOIN LATERAL (${counts}) AS counted
      WHERE ${own} AND ${part.ofEvents} AND id >= ${from} AND id < ${to} GROUP BY 1, 2, 3`;
  }
  const from = conditions.value(new Date(segment.from).toISOString());
  const to = conditions.value(new Date(segment.to).toISOString());
  // The conditions contain only the organization and its classes here, which are also columns of the counts.
  const within = `${own} AND start >= ${from} AND start < ${to} AND ${part.ofCounts(of)}`;
  const { dimension, contribution } = part;
  return `SELECT ${start(dimension, "audit_rollups.start")}, ${dimension}, value, sum(${contribution("events")})::bigint, max(peak)
    FROM audit_rollups WHERE ${within} AND grain = '${segment.source}' GROUP BY 1, 2, 3
    UNION ALL SELECT ${start(dimension, "audit_deltas.start")}, ${dimension}, value, sum(${contribution("added.events")})::bigint, max(peak)
    FROM audit_deltas, unnest(dimensions, "values", events, peaks) AS added (dimension, value, events, peak)
    WHERE ${within} GROUP BY 1, 2, 3`;
}
