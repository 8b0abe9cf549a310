import type * as contract from "@/lib/destinations/contract";
import { readDestinationRow, showDestination } from "@/lib/destinations/destination";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** One destination. Throws 404. */
export async function getDestination(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getDestination>,
): Promise<Output<typeof contract.getDestination>> {
  return showDestination(await readDestinationRow(organizationId, id));
}
