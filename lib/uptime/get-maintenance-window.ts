import type { Input, Output } from "@/lib/api/endpoint";
import type { Principal } from "@/lib/auth/principal";
import type * as contract from "@/lib/uptime/contract";
import { readMaintenanceWindow } from "@/lib/uptime/maintenance-window";

/** One maintenance window of the organization. Throws 404. */
export function getMaintenanceWindow(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getMaintenanceWindow>,
): Promise<Output<typeof contract.getMaintenanceWindow>> {
  return readMaintenanceWindow(organizationId, id);
}
