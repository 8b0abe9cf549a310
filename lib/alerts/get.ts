import { readAlert } from "@/lib/alerts/alert-row";
import type * as contract from "@/lib/alerts/contract";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** One alert with its timeline. Throws 404. */
export function getAlert(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getAlert>,
): Promise<Output<typeof contract.getAlert>> {
  return readAlert(organizationId, id);
}
