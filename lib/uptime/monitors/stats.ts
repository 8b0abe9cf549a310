import { pool } from "@/lib/db/app";
import { percentileOf } from "@/lib/histogram";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";
import { readMonitor } from "@/lib/uptime/monitors/monitor";
import { INTERVAL_MS, statsRange } from "@/lib/uptime/monitors/stats-range";
import type * as contract from "@/lib/uptime/stats-contract";
import type { UptimeStats } from "@/lib/uptime/stats-contract";
import { lastDaysStart, uptimePercent } from "@/lib/uptime/window";

/** Rollups of one hour or day, or the sum of several. */
interface Sum {
  checks: number;
  failures: number;
  maintenance: number;
  /** Checks by bucket of response time. */
  buckets: Map<number, number>;
}

interface Point extends Sum {
  start: number;
}

/** Statistics of a monitor, from its rollups. Throws 400, 404. */
export async function getUptimeStats(
  { organizationId }: Principal,
  { id, ...requested }: Input<typeof contract.getUptimeStats>,
): Promise<Output<typeof contract.getUptimeStats>> {
  const now = Date.now();
  const { since, from, to, interval } = statsRange(requested, now);
  await readMonitor(organizationId, id);
  const [points, hours, days, incidents] = await Promise.all([
    readPoints(organizationId, id, interval, from, to),
    readPoints(organizationId, id, "hour", Math.floor((now - DAY_MS) / HOUR_MS) * HOUR_MS, now),
    readPoints(organizationId, id, "day", lastDaysStart(90, now), now),
    readDowntime(organizationId, id, since, to),
  ]);
  const lastDays = (count: number) => counted(add(days.filter(({ start }) => start >= lastDaysStart(count, now))));
  const byStart = new Map(points.map((point) => [point.start, point]));
  const starts = Array.from({ length: Math.ceil((to - from) / INTERVAL_MS[interval]) }, (_, at) => {
    return from + at * INTERVAL_MS[interval];
  });
  return {
    since: new Date(from).toISOString(),
    until: new Date(to).toISOString(),
    interval,
    ...counted(add(points)),
    ...incidents,
    series: starts.map((start) => ({
      start: new Date(start).toISOString(),
      ...counted(byStart.get(start) ?? add([])),
    })),
    windows: {
      last_24h: counted(add(hours)),
      last_7d: lastDays(7),
      last_30d: lastDays(30),
      last_90d: lastDays(90),
    },
  };
}

async function readPoints(
  organizationId: string,
  monitorId: string,
  grain: string,
  from: number,
  to: number,
): Promise<Point[]> {
  const { rows } = await pool("report").query<{
    start: Date;
    checks: number;
    failures: number;
    maintenance: number;
    buckets: [number, number][];
  }>(
    `SELECT r.start, r.checks, r.failures, r.maintenance,
       (SELECT coalesce(jsonb_agg(jsonb_build_array(l.bucket, l.checks)), '[]') FROM uptime_latencies l
        WHERE l.organization_id = $1 AND l.monitor_id = $2 AND l.grain = $3 AND l.start = r.start) AS buckets
     FROM uptime_rollups r
     WHERE r.organization_id = $1 AND r.monitor_id = $2 AND r.grain = $3 AND r.start >= $4 AND r.start < $5
     ORDER BY r.start`,
    [organizationId, monitorId, grain, new Date(from), new Date(to)],
  );
  return rows.map((row) => ({ ...row, start: row.start.getTime(), buckets: new Map(row.buckets) }));
}

/** Incidents that overlap the range, and their seconds within it. */
async function readDowntime(organizationId: string, monitorId: string, from: number, to: number) {
  const { rows } = await pool("report").query<{ incidents: number; downtime_seconds: number }>(
    `SELECT count(*)::integer AS incidents,
       coalesce(round(sum(extract(epoch FROM least(coalesce(ended_at, $4), $4) - greatest(started_at, $3)))), 0)::integer AS downtime_seconds
     FROM uptime_incidents
     WHERE organization_id = $1 AND monitor_id = $2 AND started_at < $4 AND coalesce(ended_at, 'infinity') > $3`,
    [organizationId, monitorId, new Date(from), new Date(to)],
  );
  return rows[0] ?? { incidents: 0, downtime_seconds: 0 };
}

function add(points: readonly Point[]): Sum {
  const sum: Sum = { checks: 0, failures: 0, maintenance: 0, buckets: new Map() };
  for (const point of points) {
    sum.checks += point.checks;
    sum.failures += point.failures;
    sum.maintenance += point.maintenance;
    for (const [bucket, checks] of point.buckets) sum.buckets.set(bucket, (sum.buckets.get(bucket) ?? 0) + checks);
  }
  return sum;
}

function counted({ checks, failures, maintenance, buckets }: Sum): UptimeStats["windows"]["last_24h"] {
  const histogram = [...buckets].map(([bucket, events]) => ({ bucket, events })).sort((a, b) => a.bucket - b.bucket);
  return {
    checks,
    failures,
    maintenance_checks: maintenance,
    uptime_percent: uptimePercent(checks, failures),
    response_time_ms: responseTimes(histogram),
  };
}

/** Percentiles of a histogram in milliseconds; null without checks. */
export function responseTimes(histogram: Parameters<typeof percentileOf>[0]): UptimeStats["response_time_ms"] {
  const at = (share: number) => {
    const found = percentileOf(histogram, share);
    return found === null ? null : Math.round(found) / 1000;
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
