import type { Input, Output } from "@/lib/api/endpoint";
import { notFound } from "@/lib/api/errors";
import { change } from "@/lib/audit-logs/change";
import { type Principal, requireAdmin } from "@/lib/auth/principal";
import type * as contract from "@/lib/uptime/contract";
import { readMaintenanceWindow } from "@/lib/uptime/maintenance-window";

/** Removes a maintenance window; checks keep how they were counted. Throws 403, 404. */
export async function deleteMaintenanceWindow(
  principal: Principal,
  { id }: Input<typeof contract.deleteMaintenanceWindow>,
): Promise<Output<typeof contract.deleteMaintenanceWindow>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const last = await readMaintenanceWindow(organizationId, id);
  await change(async (tx, event) => {
    const { count } = await tx.maintenanceWindow.deleteMany({ where: { organizationId, id } });
    if (count === 0) throw notFound();
    event.resource("maintenance_window", id);
  });
  return last;
}
