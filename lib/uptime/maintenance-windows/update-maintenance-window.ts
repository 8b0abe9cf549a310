import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { lockRows } from "@/lib/db/lock-rows";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type * as contract from "@/lib/uptime/maintenance-windows/contract";
import {
  assertWindow,
  isAhead,
  recordedWindow,
  requireRoomAhead,
  toMaintenanceWindow,
} from "@/lib/uptime/maintenance-windows/maintenance-window";

/** Changes the given fields of a maintenance window. Throws 400, 403, 404, 409. */
export async function updateMaintenanceWindow(
  principal: Principal,
  { id, ...input }: Input<typeof contract.updateMaintenanceWindow>,
): Promise<Output<typeof contract.updateMaintenanceWindow>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const where = { organizationId_id: { organizationId, id } };
  return auditedTransaction(async (tx, event) => {
    // Concurrent changes wait, so that none undoes another's fields.
    await lockRows(tx, "maintenance_windows", organizationId, [id]);
    const before = await tx.maintenanceWindow.findUnique({ where });
    if (before === null) throw notFound();
    const data = {
      name: input.name ?? before.name,
      monitorIds: input.monitor_ids === undefined ? before.monitorIds : [...new Set(input.monitor_ids)],
      startsAt: input.starts_at === undefined ? before.startsAt : new Date(input.starts_at),
      endsAt: input.ends_at === undefined ? before.endsAt : new Date(input.ends_at),
      repeat: input.repeat ?? before.repeat,
    };
    if (isAhead(data) && !isAhead(before)) await requireRoomAhead(tx, organizationId);
    // Monitors may have been deleted since, and the window as it is read can be sent again.
    await assertWindow(tx, organizationId, data, before.monitorIds);
    event.resource("maintenance_window", id);
    const after = toMaintenanceWindow(await tx.maintenanceWindow.update({ where, data }));
    recordChanges(event, before.name, recordedWindow(toMaintenanceWindow(before)), recordedWindow(after));
    return after;
  });
}
