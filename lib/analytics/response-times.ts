import type * as contract from "@/lib/analytics/contract";
import { dailyFigures } from "@/lib/analytics/daily-figures";
import { days, rangeOf } from "@/lib/analytics/range";
import { pool } from "@/lib/db/app";
import { groupBy } from "@/lib/group-by";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { responseTimes } from "@/lib/uptime/monitors/stats";

interface Bucket {
  bucket: number;
  events: number;
}

const BY_DAY = `SELECT d.start, d.bucket, sum(d.checks)::float AS events FROM ${dailyFigures("uptime_latencies", true)}
  GROUP BY d.start, d.bucket ORDER BY d.bucket`;

/** SQL: the histogram of the monitor `m` of organization $1 from $2 to $3. */
const HISTOGRAM = `SELECT bucket, sum(checks)::float AS events FROM uptime_latencies
  WHERE organization_id = $1 AND monitor_id = m.id AND grain = 'day' AND start >= $2 AND start < $3 GROUP BY bucket`;

/** SQL: the bucket with its p95, the nearest rank as of `percentileOf`; null without checks. */
const P95 = `SELECT min(bucket) AS bucket FROM (
    SELECT bucket, sum(events) OVER (ORDER BY bucket) AS counted, sum(events) OVER () AS total FROM (${HISTOGRAM}) AS h
  ) AS ranked WHERE counted >= ceil(total * 0.95::float)`;

/** The histograms of the 20 monitors with the highest p95. */
const SLOWEST = `SELECT m.id, m.name, l.bucket, l.events
  FROM (
    SELECT m.id, m.name, p95.bucket AS slowness FROM uptime_monitors m CROSS JOIN LATERAL (${P95}) AS p95
    WHERE m.organization_id = $1 AND p95.bucket IS NOT NULL ORDER BY slowness DESC, m.id LIMIT 20
  ) AS m
  CROSS JOIN LATERAL (${HISTOGRAM}) AS l
  ORDER BY m.slowness DESC, m.id, l.bucket`;

/** Response times of all monitors' successful checks, from their daily histograms. Throws 400. */
export async function getAnalyticsResponseTimes(
  { organizationId }: Principal,
  query: Input<typeof contract.getAnalyticsResponseTimes>,
): Promise<Output<typeof contract.getAnalyticsResponseTimes>> {
  const { from, to } = rangeOf(query);
  const values = [organizationId, new Date(from), new Date(to)];
  const [byDay, slowest] = await Promise.all([
    pool("report").query<Bucket & { start: Date }>(BY_DAY, values),
    pool("report").query<Bucket & { id: string; name: string }>(SLOWEST, values),
  ]);
  const daily = groupBy(byDay.rows, ({ start }) => start.getTime());
  return {
    since: new Date(from).toISOString(),
    until: new Date(to).toISOString(),
    ...responseTimes(merged(byDay.rows)),
    series: days(from, to).map((start) => ({
      start: new Date(start).toISOString(),
      ...responseTimes(daily.get(start) ?? []),
    })),
    slowest: [...groupBy(slowest.rows, ({ id }) => id)].map(([id, buckets]) => ({
      monitor: { id, name: buckets[0]?.name ?? "" },
      checks: buckets.reduce((sum, { events }) => sum + events, 0),
      ...responseTimes(buckets),
    })),
  };
}

/** Sums the events of equal buckets; ascending. */
function merged(buckets: readonly Bucket[]): Bucket[] {
  const sums = new Map<number, number>();
  for (const { bucket, events } of buckets) sums.set(bucket, (sums.get(bucket) ?? 0) + events);
  return [...sums].map(([bucket, events]) => ({ bucket, events })).sort((a, b) => a.bucket - b.bucket);
}
