import type * as contract from "@/lib/analytics/contract";
import { dailyFigures } from "@/lib/analytics/daily-figures";
import { queryInUse } from "@/lib/analytics/in-use";
import { pool } from "@/lib/db/app";
import type { Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { lastDaysStart, uptimePercent } from "@/lib/uptime/window";

/** Key figures of everything the organization monitors. */
export async function getAnalyticsOverview({
  organizationId,
}: Principal): Promise<Output<typeof contract.getAnalyticsOverview>> {
  type Counts = Record<string, number>;
  const one = async (text: string, ...values: Date[]): Promise<Counts> => {
    return (await pool("report").query<Counts>(text, [organizationId, ...values])).rows[0] ?? {};
  };
  const since = new Date(lastDaysStart(30, Date.now()));
  const [certificates, endpoints, findings, monitors, incidents, uptime] = await Promise.all([
    queryInUse<Counts>(
      organizationId,
      `SELECT count(*)::integer AS in_use, ${within("-infinity", "0 days")} AS expired, ${within("0 days", "7 days")} AS expiring_7d,
         ${within("0 days", "30 days")} AS expiring_30d, ${within("0 days", "90 days")} AS expiring_90d FROM in_use`,
    ),
    one(`SELECT count(*)::integer AS total, ${statuses("status", ["pending", "ok", "info", "warning", "critical", "unreachable"])}
         FROM certificate_endpoints WHERE organization_id = $1`),
    pool("report").query<{ code: string; severity: string; endpoints: number }>(
      `SELECT code, severity, count(*)::integer AS endpoints FROM certificate_findings
       WHERE organization_id = $1 AND closed_at IS NULL GROUP BY code, severity ORDER BY endpoints DESC, code, severity`,
      [organizationId],
    ),
    one(`SELECT count(*)::integer AS total, ${statuses("CASE WHEN paused_at IS NULL THEN status ELSE 'paused' END", ["pending", "up", "down", "paused"])}
         FROM uptime_monitors WHERE organization_id = $1`),
    one(
      `SELECT count(*) FILTER (WHERE ended_at IS NULL)::integer AS open,
         count(*) FILTER (WHERE started_at >= $2)::integer AS last_30d
       FROM uptime_incidents WHERE organization_id = $1 AND (ended_at IS NULL OR ended_at >= $2)`,
      since,
    ),
    one(
      `SELECT coalesce(sum(d.checks), 0)::float AS checks, coalesce(sum(d.failures), 0)::float AS failures
       FROM ${dailyFigures("uptime_rollups", false)}`,
      since,
    ),
  ]);
  return {
    certificates: certificates[0] as Output<typeof contract.getAnalyticsOverview>["certificates"],
    endpoints: endpoints as Output<typeof contract.getAnalyticsOverview>["endpoints"],
    findings: findings.rows,
    monitors: monitors as Output<typeof contract.getAnalyticsOverview>["monitors"],
    incidents: incidents as Output<typeof contract.getAnalyticsOverview>["incidents"],
    uptime_percent_30d: uptimePercent(uptime.checks ?? 0, uptime.failures ?? 0),
  };
}

function within(from: string, to: string): string {
  const lower = from === "-infinity" ? "" : `not_after > now() + interval '${from}' AND `;
  return `count(*) FILTER (WHERE ${lower}not_after <= now() + interval '${to}')::integer`;
}

function statuses(column: string, names: readonly string[]): string {
  return names.map((name) => `count(*) FILTER (WHERE ${column} = '${name}')::integer AS ${name}`).join(", ");
}
