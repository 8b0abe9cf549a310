import type { Input, Output } from "@/lib/api/endpoint";
import type { Principal } from "@/lib/auth/principal";
import type * as contract from "@/lib/uptime/contract";
import { readIncident } from "@/lib/uptime/incident";

/** One incident of the organization. Throws 404. */
export function getIncident(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getIncident>,
): Promise<Output<typeof contract.getIncident>> {
  return readIncident(organizationId, id);
}
