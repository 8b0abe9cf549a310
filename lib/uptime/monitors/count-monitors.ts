import { pool } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import type { MonitorStatus } from "@/lib/uptime/contract";

/** The number of the organization's monitors by status. */
export async function countMonitors({ organizationId }: Principal): Promise<ReadonlyMap<MonitorStatus, number>> {
  const { rows } = await pool("report").query<{ status: MonitorStatus; count: number }>(
    `SELECT CASE WHEN paused_at IS NULL THEN status ELSE 'paused' END AS status, count(*)::integer AS count
     FROM uptime_monitors WHERE organization_id = $1 GROUP BY 1`,
    [organizationId],
  );
  return new Map(rows.map(({ status, count }) => [status, count]));
}
