import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import { emptyClass } from "@/lib/audit-logs/retain/move-classes";
import { deleteSealedLog } from "@/lib/audit-logs/retain/seals";
import { auditPool } from "@/lib/db/audit";

/** Deletes all audit data of a deleted organization in steps. Returns the number of days that had data. */
export async function deleteOrganizationEvents(organizationId: string, stop: () => boolean): Promise<number> {
  let days = 0;
  for (const each of CLASSES) {
    days += await emptyClass(organizationId, each, each, Number.POSITIVE_INFINITY, stop);
    if (stop()) return days + 1;
  }
  await deleteSealedLog(organizationId, stop);
  if (stop()) return days + 1;
  await auditPool().query("DELETE FROM audit_sightings WHERE organization_id = $1", [organizationId]);
  return days;
}
