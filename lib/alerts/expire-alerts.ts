import { deleteInSteps } from "@/lib/db/delete-in-steps";
import { eachOrganization } from "@/lib/jobs/each-organization";

/** Worker job: deletes resolved alerts with their timelines after the plan's retention period for audit events. */
export async function expireAlerts(signal: AbortSignal): Promise<void> {
  const condition = "organization_id = $1 AND resolved_at < $2 AND NOT live";
  await eachOrganization(signal, "old alerts", (organizationId, before, stop) =>
    deleteInSteps("alerts", condition, [organizationId, before], stop),
  );
}
