import type { AlertStatus } from "@/lib/alerts/contract";
import type { Severity } from "@/lib/certificates/findings";
import { pool } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";

export type OpenStatus = Exclude<AlertStatus, "resolved">;

/** The number of unresolved alerts by state and severity. Reads only alerts that the evaluation still considers. */
export async function countOpenAlerts({
  organizationId,
}: Principal): Promise<{ status: OpenStatus; severity: Severity; count: number }[]> {
  const { rows } = await pool().query<{ status: OpenStatus; severity: Severity; count: number }>(
    `SELECT CASE WHEN snoozed_until > now() THEN 'snoozed' WHEN acknowledged_at IS NULL THEN 'open' ELSE 'acknowledged' END AS status,
       severity, count(*)::integer AS count
     FROM alerts WHERE organization_id = $1 AND live AND resolved_at IS NULL GROUP BY 1, 2`,
    [organizationId],
  );
  return rows;
}
