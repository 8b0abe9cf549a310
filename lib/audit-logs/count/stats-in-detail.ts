import { seriesStarts } from "@/lib/audit-logs/count/rollup-plan";
import { type AuditFigures, figuresOf, statsOf } from "@/lib/audit-logs/count/stats";
import type { AuditStats, Interval } from "@/lib/audit-logs/count/stats-contract";
import type { Filters } from "@/lib/audit-logs/filters";
import type { Scope } from "@/lib/audit-logs/scope/scope";
import { where } from "@/lib/audit-logs/scope/where";
import { auditPool } from "@/lib/db/audit";
import { idAt } from "@/lib/ids";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** A range up to this long gets a point per minute, one up to MAX_BY_HOUR_MS a point per hour. */
const MAX_BY_MINUTE_MS = 25 * HOUR_MS;
const MAX_BY_HOUR_MS = 121 * 24 * HOUR_MS;
/** Rollups count hours. Minutes are counted from the events, up to this many. */
const MAX_BY_MINUTE = 100_000;

/** Statistics with a series that is fine enough for the histogram. */
export function statsInDetail(scope: Scope, filters: Filters): Promise<AuditStats> {
  return inDetail(scope, filters, statsOf);
}

/** Like `statsInDetail`, without the values of the dimensions. */
export function figuresInDetail(scope: Scope, filters: Filters): Promise<AuditFigures> {
  return inDetail(scope, filters, figuresOf);
}

async function inDetail<Figures extends AuditFigures>(
  scope: Scope,
  filters: Filters,
  count: (scope: Scope, asked: Filters & { interval: Interval | undefined }) => Promise<Figures>,
): Promise<Figures> {
  const length = (filters.until ?? Date.now()) - (filters.since ?? 0);
  const isByHour = length > 6 * HOUR_MS && length <= MAX_BY_HOUR_MS;
  const stats = await count(scope, { ...filters, interval: isByHour ? "hour" : undefined });
  const isCoarse = stats.interval === "hour" && length <= MAX_BY_MINUTE_MS && stats.totals.requests <= MAX_BY_MINUTE;
  return isCoarse ? { ...stats, interval: "minute", series: await byMinute(scope, filters, stats) } : stats;
}

type Point = AuditStats["series"][number];

/** The series of a range by minute, counted from the events. Read after the totals, so it may have newer events. */
async function byMinute(scope: Scope, filters: Filters, { since, until }: AuditFigures): Promise<Point[]> {
  const conditions = where(scope, filters);
  const [from, to] = [Date.parse(since), Date.parse(until)];
  // Without `until`, the last minute is counted whole: events of a clock that is ahead are in the totals, too.
  const end = filters.until === undefined ? Math.ceil(to / MINUTE_MS) * MINUTE_MS : to;
  conditions.add(`id >= ${conditions.value(idAt(from))} AND id < ${conditions.value(idAt(end))}`);
  const ofClass = (digit: number) =>
    `count(*) FILTER (WHERE status_code >= ${digit}00 AND status_code < ${digit + 1}00)::float8 AS status_${digit}xx`;
  const { rows } = await auditPool("report").query<Omit<Point, "start"> & { start: Date }>(
    // Faster than date_trunc, which knows time zones.
    `SELECT date_bin('1 minute', occurred_at, 'epoch') AS start, count(*)::float8 AS requests,
       ${[2, 3, 4, 5].map(ofClass).join(", ")}, count(*) FILTER (WHERE is_security_event)::float8 AS security_events
     FROM audit_events e WHERE ${conditions} GROUP BY 1`,
    conditions.values,
  );
  const counted = new Map(rows.map((row) => [row.start.getTime(), row]));
  const none = { requests: 0, status_2xx: 0, status_3xx: 0, status_4xx: 0, status_5xx: 0, security_events: 0 };
  return seriesStarts(from, to, "minute").map((start) => ({
    ...(counted.get(start) ?? none),
    start: new Date(start).toISOString(),
  }));
}
