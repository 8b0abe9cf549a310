import { pool } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";

/** Maximum number of resolved alerts to count. */
export const MAX_COUNTED = 10_000;

/** The number of resolved alerts, at most MAX_COUNTED + 1. */
export async function countResolvedAlerts({ organizationId }: Principal): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM (
       SELECT FROM alerts WHERE organization_id = $1 AND resolved_at IS NOT NULL LIMIT ${MAX_COUNTED + 1}
     ) AS resolved`,
    [organizationId],
  );
  return rows[0]?.count ?? 0;
}
