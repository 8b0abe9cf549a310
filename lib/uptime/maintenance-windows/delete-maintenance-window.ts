import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type * as contract from "@/lib/uptime/maintenance-windows/contract";
import { readMaintenanceWindow, recordedWindow } from "@/lib/uptime/maintenance-windows/maintenance-window";

/** Deletes a maintenance window. Earlier checks are not recounted. Throws 403, 404. */
export async function deleteMaintenanceWindow(
  principal: Principal,
  { id }: Input<typeof contract.deleteMaintenanceWindow>,
): Promise<Output<typeof contract.deleteMaintenanceWindow>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  return auditedTransaction(async (tx, event) => {
    const last = await readMaintenanceWindow(organizationId, id, tx);
    const { count } = await tx.maintenanceWindow.deleteMany({ where: { organizationId, id } });
    if (count === 0) throw notFound();
    event.resource("maintenance_window", id);
    recordChanges(event, last.name, recordedWindow(last), null);
    return last;
  });
}
