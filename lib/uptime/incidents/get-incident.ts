import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/uptime/incidents/contract";
import { readIncident } from "@/lib/uptime/incidents/incident";

/** One incident of the organization. Throws 404. */
export function getIncident(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getIncident>,
): Promise<Output<typeof contract.getIncident>> {
  return readIncident(organizationId, id);
}
