import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/subdomains/contract";
import { readSubdomain } from "@/lib/subdomains/subdomain";

/** One discovered name. Throws 404. */
export async function getSubdomain(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getSubdomain>,
): Promise<Output<typeof contract.getSubdomain>> {
  return readSubdomain(organizationId, id);
}
