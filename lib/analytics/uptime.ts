import type * as contract from "@/lib/analytics/contract";
import { dailyFigures } from "@/lib/analytics/daily-figures";
import { days, rangeOf } from "@/lib/analytics/range";
import { pool } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { uptimePercent } from "@/lib/uptime/window";

interface Counts {
  checks: number;
  failures: number;
}

const SUMS = "sum(d.checks)::float AS checks, sum(d.failures)::float AS failures";
/** Seconds of incidents within the range $2 to $3. */
const DOWNTIME = `coalesce(round(sum(extract(epoch FROM least(coalesce(i.ended_at, $3), $3) - greatest(i.started_at, $2)))), 0)::float`;
const TOUCHES = "i.organization_id = $1 AND i.started_at < $3 AND (i.ended_at IS NULL OR i.ended_at > $2)";

/** Uptime of all monitors, from their daily rollups. Throws 400. */
export async function getAnalyticsUptime(
  { organizationId }: Principal,
  query: Input<typeof contract.getAnalyticsUptime>,
): Promise<Output<typeof contract.getAnalyticsUptime>> {
  const { from, to } = rangeOf(query);
  const values = [organizationId, new Date(from), new Date(to)];
  const [byDay, worst, incidents] = await Promise.all([
    pool("report").query<Counts & { start: Date }>(
      `SELECT d.start, ${SUMS} FROM ${dailyFigures("uptime_rollups", true)} GROUP BY d.start`,
      values,
    ),
    pool("report").query<Counts & { id: string; name: string; downtime_seconds: number }>(
      `SELECT worst.*, (SELECT ${DOWNTIME} FROM uptime_incidents i WHERE ${TOUCHES} AND i.monitor_id = worst.id) AS downtime_seconds
       FROM (
         SELECT m.id, m.name, ${SUMS} FROM ${dailyFigures("uptime_rollups", true)} GROUP BY m.id, m.name HAVING sum(d.checks) > 0
         ORDER BY sum(d.failures)::float / sum(d.checks) DESC, m.id LIMIT 20
       ) AS worst
       ORDER BY worst.failures / worst.checks DESC, worst.id`,
      values,
    ),
    pool("report").query<{ incidents: number; downtime_seconds: number }>(
      `SELECT count(*)::integer AS incidents, ${DOWNTIME} AS downtime_seconds FROM uptime_incidents i WHERE ${TOUCHES}`,
      values,
    ),
  ]);
  const byStart = new Map(byDay.rows.map(({ start, checks, failures }) => [start.getTime(), { checks, failures }]));
  const total = byDay.rows.reduce(
    (sum, { checks, failures }) => ({ checks: sum.checks + checks, failures: sum.failures + failures }),
    { checks: 0, failures: 0 },
  );
  return {
    since: new Date(from).toISOString(),
    until: new Date(to).toISOString(),
    ...measured(total),
    incidents: incidents.rows[0]?.incidents ?? 0,
    downtime_seconds: incidents.rows[0]?.downtime_seconds ?? 0,
    series: days(from, to).map((start) => ({
      start: new Date(start).toISOString(),
      ...measured(byStart.get(start) ?? { checks: 0, failures: 0 }),
    })),
    worst: worst.rows.map(({ id, name, downtime_seconds, ...counts }) => ({
      monitor: { id, name },
      ...measured(counts),
      downtime_seconds,
    })),
  };
}

function measured({ checks, failures }: Counts) {
  return { checks, failures, uptime_percent: uptimePercent(checks, failures) };
}
