import { deleteInSteps } from "@/lib/db/delete-in-steps";
import { eachOrganization } from "@/lib/jobs/each-organization";

/** Worker job: deletes incidents that ended before the plan's retention period for audit events, once the alert rules have seen it. */
export async function expireIncidents(signal: AbortSignal): Promise<void> {
  const ended = "organization_id = $1 AND ended_at < $2 AND NOT awaits_evaluation";
  await eachOrganization(signal, "old incidents", (organizationId, before, stop) =>
    deleteInSteps("uptime_incidents", ended, [organizationId, before], stop),
  );
}
