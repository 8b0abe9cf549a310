import { pool } from "@/lib/db/app";
import { inSteps } from "@/lib/db/in-steps";
import { eachOrganization } from "@/lib/organizations/each-organization";

/** The worker's job: deletes alerts with their timelines that were resolved longer ago than the plan keeps audit events. */
export async function expireAlerts(signal: AbortSignal): Promise<void> {
  await eachOrganization(signal, "old alerts", (organizationId, before, stop) =>
    inSteps(async (size) => {
      const { rowCount } = await pool().query(
        `DELETE FROM alerts WHERE organization_id = $1 AND id = ANY (ARRAY(
           SELECT id FROM alerts WHERE organization_id = $1 AND resolved_at < $2 AND NOT live LIMIT ${size}))`,
        [organizationId, before],
      );
      return rowCount === size;
    }, stop),
  );
}
