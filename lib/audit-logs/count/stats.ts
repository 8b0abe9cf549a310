import { type Dimension, dimensions } from "@/lib/audit-logs/count/dimensions";
import { chooseInterval, intervalMs, isTooFine, seriesStarts } from "@/lib/audit-logs/count/rollup-plan";
import type { AuditStats, getAuditStats as contract, Interval } from "@/lib/audit-logs/count/stats-contract";
import { type Count, statsQuery } from "@/lib/audit-logs/count/stats-query";
import { assertRange, type Filters } from "@/lib/audit-logs/filters";
import { type Scope, scopeOf, startOf } from "@/lib/audit-logs/scope/scope";
import { auditPool } from "@/lib/db/audit";
import { percentileOf } from "@/lib/histogram";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** What the figures above a list show. */
const FIGURES = ["total", "status", "security", "latency"] as const satisfies readonly Dimension[];

/** Statistics without the values of the dimensions, which take most of the time to count. */
export type AuditFigures = Omit<AuditStats, `by_${string}` | "totals"> & {
  totals: Omit<AuditStats["totals"], `unique_${string}`>;
};

/** The most frequent values of a dimension, at most ten. */
export type TopValues = AuditStats["by_ip"];

type Asked = Pick<Input<typeof contract>, "interval"> & Filters;

/** Aggregates over the matching events from one snapshot, so that all figures are consistent. Throws 400. */
export async function getAuditStats(
  { organizationId }: Principal,
  input: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  assertRange(input);
  return statsOf(await scopeOf(organizationId), input);
}

/** Like `getAuditStats`, for a known scope. Throws 400. */
export async function statsOf(scope: Scope, asked: Asked): Promise<AuditStats> {
  const counting = await countSeries(scope, asked, dimensions);
  const top = (dimension: Dimension) => topOf(counting.overall, dimension);
  const unique = (dimension: Dimension) =>
    Number(counting.overall.find((count) => count.dimension === dimension)?.values ?? 0);
  const { totals, ...figures } = toFigures(scope, counting);
  return {
    ...figures,
    totals: { ...totals, unique_api_keys: unique("api_key"), unique_ips: unique("ip") },
    by_status: top("status"),
    by_method: top("method"),
    by_route: top("route"),
    by_api_key: top("api_key"),
    by_ip: top("ip"),
    by_country: top("country"),
    by_error_code: top("error_code"),
    by_flag: top("flag"),
  };
}

/** Like `statsOf`, without the values of the dimensions. Throws 400. */
export async function figuresOf(scope: Scope, asked: Asked): Promise<AuditFigures> {
  return toFigures(scope, await countSeries(scope, asked, FIGURES));
}

/** The number of matching events. */
export async function countEvents(scope: Scope, filters: Filters): Promise<number> {
  const { overall } = await count(scope, filters, null, ["total"]);
  return overall.reduce((all, { events }) => all + events, 0);
}

/** The most frequent values of some dimensions in the matching events. */
export async function topValues<Of extends Dimension>(
  scope: Scope,
  filters: Filters,
  of: readonly Of[],
): Promise<Record<Of, TopValues>> {
  const { overall } = await count(scope, filters, null, of);
  return Object.fromEntries(of.map((dimension) => [dimension, topOf(overall, dimension)])) as Record<Of, TopValues>;
}

interface Counting {
  /** The range, Unix milliseconds, half-open. */
  from: number;
  to: number;
  /** Counts of the points of a series. */
  points: Counted[];
  /** Counts of the whole range, the most frequent values first. */
  overall: Counted[];
}

async function countSeries(scope: Scope, { interval: asked, ...filters }: Asked, of: readonly Dimension[]) {
  const { from, to } = reach(scope, filters);
  const interval = asked ?? chooseInterval(from, to);
  if (isTooFine(from, to, interval)) throw invalid("interval", `${interval} is too fine for this range`);
  return { ...(await count(scope, filters, interval, of)), interval };
}

function reach(scope: Scope, { since, until }: Filters): { from: number; to: number } {
  const from = Math.max(startOf(scope), since ?? 0);
  return { from, to: Math.max(from, Math.min(until ?? Number.POSITIVE_INFINITY, Date.now() + 1)) };
}

async function count(
  scope: Scope,
  filters: Filters,
  interval: Interval | null,
  of: readonly Dimension[],
): Promise<Counting> {
  const { from, to } = reach(scope, filters);
  // Without `until`, the range includes everything, so the current hour is counted whole, from the rollups.
  const end = filters.until === undefined ? Math.max(from, Math.ceil(to / intervalMs.hour) * intervalMs.hour) : to;
  const query = statsQuery(scope, filters, from, end, interval, of);
  const { rows } = await auditPool("report").query<Count>(query.text, query.values);
  const counts = rows.map((row) => ({ ...row, events: Number(row.events) }));
  return {
    ...{ from, to },
    points: counts.filter(({ start }) => start !== null),
    overall: counts.filter(({ start }) => start === null),
  };
}

function toFigures(
  scope: Scope,
  { from, to, interval, points, overall }: Counting & { interval: Interval },
): AuditFigures {
  const of = (dimension: Dimension) => overall.filter((count) => count.dimension === dimension);
  const total = (dimension: Dimension, fits = (_value: string) => true) => sum(of(dimension), fits);
  return {
    since: new Date(from).toISOString(),
    until: new Date(to).toISOString(),
    interval,
    retention_days: scope.days,
    totals: {
      requests: total("total"),
      errors: total("status", (value) => value >= "400"),
      server_errors: total("status", (value) => value >= "500"),
      rate_limited: total("status", (value) => value === "429"),
      security_events: total("security"),
    },
    response_time_ms: responseTimes(of("latency"), peakOf(of("total"))),
    series: series(points, from, to, interval),
  };
}

function topOf(overall: readonly Counted[], dimension: Dimension): TopValues {
  return overall
    .filter((count) => count.dimension === dimension && Number(count.rank) <= 10)
    .map(({ value, events }) => ({ value, requests: events }));
}

type Counted = Omit<Count, "events"> & { events: number };

function sum(counts: Counted[], fits: (value: string) => boolean): number {
  return counts.reduce((all, { value, events }) => (fits(value) ? all + events : all), 0);
}

function peakOf(counts: Counted[]): number | null {
  const peaks = counts.flatMap(({ peak }) => peak ?? []);
  return peaks.length === 0 ? null : Math.max(...peaks);
}

/** Nearest-rank percentiles of a histogram in milliseconds; null without events. */
function responseTimes(buckets: Counted[], peakUs: number | null): AuditStats["response_time_ms"] {
  const sorted = buckets
    .map(({ value, events }) => ({ bucket: Number(value), events }))
    .sort((a, b) => a.bucket - b.bucket);
  const at = (share: number) => {
    const found = percentileOf(sorted, share);
    return found === null ? null : Math.min(found, peakUs ?? Number.POSITIVE_INFINITY) / 1000;
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: peakUs === null ? null : peakUs / 1000 };
}

function series(points: Counted[], from: number, to: number, interval: Interval): AuditStats["series"] {
  const byStart = new Map<number, Counted[]>();
  for (const point of points) {
    const start = new Date(point.start ?? 0).getTime();
    byStart.set(start, [...(byStart.get(start) ?? []), point]);
  }
  return seriesStarts(from, to, interval).map((start) => {
    const counted = byStart.get(start) ?? [];
    const status = counted.filter(({ dimension }) => dimension === "status");
    const inClass = (digit: string) => sum(status, (value) => value.startsWith(digit));
    return {
      start: new Date(start).toISOString(),
      requests: sum(
        counted.filter(({ dimension }) => dimension === "total"),
        () => true,
      ),
      status_2xx: inClass("2"),
      status_3xx: inClass("3"),
      status_4xx: inClass("4"),
      status_5xx: inClass("5"),
      security_events: sum(
        counted.filter(({ dimension }) => dimension === "security"),
        () => true,
      ),
    };
  });
}
