import type { Dimension } from "@/lib/audit-logs/count/dimensions";
import { chooseInterval, intervalMs, isTooFine, seriesStarts } from "@/lib/audit-logs/count/rollup-plan";
import type { AuditStats, getAuditStats as contract } from "@/lib/audit-logs/count/stats-contract";
import { type Count, statsQuery } from "@/lib/audit-logs/count/stats-query";
import { assertRange } from "@/lib/audit-logs/filters";
import { type Scope, scopeOf, startOf } from "@/lib/audit-logs/scope/scope";
import { auditPool } from "@/lib/db/audit";
import { percentileOf } from "@/lib/histogram";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** Aggregates over the matching events from one snapshot, so that all figures are consistent. Throws 400. */
export async function getAuditStats(
  { organizationId }: Principal,
  input: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  assertRange(input);
  return statsOf(await scopeOf(organizationId), input);
}

/** Like `getAuditStats`, for a known scope. Throws 400. */
export async function statsOf(
  scope: Scope,
  { interval: asked, ...filters }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const from = Math.max(startOf(scope), filters.since ?? 0);
  const to = Math.max(from, Math.min(filters.until ?? Number.POSITIVE_INFINITY, Date.now() + 1));
  const interval = asked ?? chooseInterval(from, to);
  if (isTooFine(from, to, interval)) throw invalid("interval", `${interval} is too fine for this range`);
  // Without `until`, the range includes everything, so the current hour is counted whole, from the rollups.
  const end = filters.until === undefined ? Math.max(from, Math.ceil(to / intervalMs.hour) * intervalMs.hour) : to;
  const query = statsQuery(scope, filters, from, end, interval);
  const { rows } = await auditPool("report").query<Count>(query.text, query.values);
  const counts = rows.map((row) => ({ ...row, events: Number(row.events) }));
  const points = counts.filter(({ start }) => start !== null);
  const overall = counts.filter(({ start }) => start === null);
  const of = (dimension: Dimension) => overall.filter((count) => count.dimension === dimension);
  const total = (dimension: Dimension, fits = (_value: string) => true) => sum(of(dimension), fits);
  const top = (dimension: Dimension) =>
    of(dimension)
      .filter(({ rank }) => Number(rank) <= 10)
      .map(({ value, events }) => ({ value, requests: events }));
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
      unique_api_keys: Number(of("api_key")[0]?.values ?? 0),
      unique_ips: Number(of("ip")[0]?.values ?? 0),
    },
    response_time_ms: responseTimes(of("latency"), peakOf(of("total"))),
    series: series(points, from, to, interval),
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

function series(points: Counted[], from: number, to: number, interval: keyof typeof intervalMs): AuditStats["series"] {
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
