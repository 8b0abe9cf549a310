import { daysOf, dropDay } from "@/lib/audit-logs/retention";
import { auditPool } from "@/lib/db/audit";
import { plans } from "@/lib/organizations/plans";

/**
 * Deletes all that the audit database has of an organization that is no more, a day at a time. Returns how many days there were.
 */
export async function forgetOrganization(organizationId: string, signal: AbortSignal): Promise<number> {
  let days = 0;
  for (const { auditRetentionDays } of Object.values(plans)) {
    for (const day of await daysOf(organizationId, auditRetentionDays)) {
      if (signal.aborted) return days + 1;
      await dropDay(organizationId, auditRetentionDays, day);
      days++;
    }
  }
  await auditPool().query("DELETE FROM audit_sightings WHERE organization_id = $1", [organizationId]);
  return days;
}
