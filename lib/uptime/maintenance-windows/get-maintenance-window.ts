import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/uptime/maintenance-windows/contract";
import { readMaintenanceWindow } from "@/lib/uptime/maintenance-windows/maintenance-window";

/** One maintenance window of the organization. Throws 404. */
export function getMaintenanceWindow(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getMaintenanceWindow>,
): Promise<Output<typeof contract.getMaintenanceWindow>> {
  return readMaintenanceWindow(organizationId, id);
}
