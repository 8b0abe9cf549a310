import type * as contract from "@/lib/analytics/contract";
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

/** Response times of all monitors' successful checks, from their daily histograms. Throws 400. */
export async function getAnalyticsResponseTimes(
  { organizationId }: Principal,
  query: Input<typeof contract.getAnalyticsResponseTimes>,
): Promise<Output<typeof contract.getAnalyticsResponseTimes>> {
  const { from, to } = rangeOf(query);
  const values = [organizationId, new Date(from), new Date(to)];
  const histograms = (column: string) =>
    `SELECT ${column}, bucket, sum(checks)::float AS events FROM uptime_latencies
     WHERE organization_id = $1 AND grain = 'day' AND start >= $2 AND start < $3 GROUP BY ${column}, bucket ORDER BY bucket`;
  const [byDay, byMonitor] = await Promise.all([
    pool("report").query<Bucket & { start: Date }>(histograms("start"), values),
    pool("report").query<Bucket & { id: string; name: string }>(
      `SELECT m.id, m.name, l.bucket, l.events FROM (${histograms("monitor_id")}) l
       JOIN uptime_monitors m ON m.organization_id = $1 AND m.id = l.monitor_id ORDER BY l.bucket`,
      values,
    ),
  ]);
  const daily = groupBy(byDay.rows, ({ start }) => start.getTime());
  const slowest = [...groupBy(byMonitor.rows, ({ id }) => id)].map(([id, buckets]) => ({
    monitor: { id, name: buckets[0]?.name ?? "" },
    checks: buckets.reduce((sum, { events }) => sum + events, 0),
    ...responseTimes(buckets),
  }));
  slowest.sort((a, b) => (b.p95 ?? 0) - (a.p95 ?? 0) || (a.monitor.id < b.monitor.id ? -1 : 1));
  return {
    since: new Date(from).toISOString(),
    until: new Date(to).toISOString(),
    ...responseTimes(merged(byDay.rows)),
    series: days(from, to).map((start) => ({
      start: new Date(start).toISOString(),
      ...responseTimes(daily.get(start) ?? []),
    })),
    slowest: slowest.slice(0, 20),
  };
}

/** Sums the events of equal buckets; ascending. */
function merged(buckets: readonly Bucket[]): Bucket[] {
  const sums = new Map<number, number>();
  for (const { bucket, events } of buckets) sums.set(bucket, (sums.get(bucket) ?? 0) + events);
  return [...sums].map(([bucket, events]) => ({ bucket, events })).sort((a, b) => a.bucket - b.bucket);
}
