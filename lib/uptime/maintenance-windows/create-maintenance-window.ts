import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import type * as contract from "@/lib/uptime/maintenance-windows/contract";
import {
  assertWindow,
  isAhead,
  recordedWindow,
  requireRoomAhead,
  requireRoomForWindow,
  toMaintenanceWindow,
} from "@/lib/uptime/maintenance-windows/maintenance-window";

/** Creates a maintenance window. Throws 400, 403, 409. */
export async function createMaintenanceWindow(
  principal: Principal,
  input: Input<typeof contract.createMaintenanceWindow>,
): Promise<Output<typeof contract.createMaintenanceWindow>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const data = {
    name: input.name,
    monitorIds: [...new Set(input.monitor_ids)],
    startsAt: new Date(input.starts_at),
    endsAt: new Date(input.ends_at),
    repeat: input.repeat,
  };
  return auditedTransaction(async (tx, event) => {
    await requireRoomForWindow(tx, organizationId);
    if (isAhead(data)) await requireRoomAhead(tx, organizationId);
    await assertWindow(tx, organizationId, data);
    const row = await tx.maintenanceWindow.create({
      data: { organizationId, id: newId(), ...data, createdAt: new Date() },
    });
    event.resource("maintenance_window", row.id);
    recordChanges(event, row.name, null, recordedWindow(toMaintenanceWindow(row)));
    return toMaintenanceWindow(row);
  });
}
