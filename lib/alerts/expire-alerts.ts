import { deleteInSteps } from "@/lib/db/delete-in-steps";
import { eachOrganization } from "@/lib/jobs/each-organization";

/** Entries about notifications that an alert keeps while it is open, as many as its timeline shows. */
const MAX_NOTIFICATION_ENTRIES = 500;

/** Entries about older notifications of live alerts, which repetitions add for as long as the alert is open. */
const OLD_NOTIFICATIONS = `organization_id = $1 AND kind = 'told' AND (alert_id, id) IN (
  SELECT e.alert_id, e.id FROM alerts a CROSS JOIN LATERAL (
    SELECT alert_id, id FROM alert_entries
    WHERE organization_id = a.organization_id AND alert_id = a.id AND kind = 'told'
    ORDER BY id DESC OFFSET ${MAX_NOTIFICATION_ENTRIES}
  ) AS e
  WHERE a.organization_id = $1 AND a.live
)`;

/**
 * Worker job: deletes resolved alerts with their timelines after the plan's retention period for audit events, and old notifications
 * from the timelines of others.
 */
export async function expireAlerts(signal: AbortSignal): Promise<void> {
  const resolved = "organization_id = $1 AND resolved_at < $2 AND NOT live";
  await eachOrganization(signal, "old alerts", async (organizationId, before, stop) => {
    await deleteInSteps("alerts", resolved, [organizationId, before], stop);
    await deleteInSteps("alert_entries", OLD_NOTIFICATIONS, [organizationId], stop);
  });
}
