import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { readDomain } from "@/lib/subdomains/domain";
import type * as contract from "@/lib/subdomains/domain-contract";

/** One domain. Throws 404. */
export async function getDomain(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getDomain>,
): Promise<Output<typeof contract.getDomain>> {
  return readDomain(organizationId, id);
}
