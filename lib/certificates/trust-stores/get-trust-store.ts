import type * as contract from "@/lib/certificates/trust-stores/trust-store-contract";
import { readTrustStore } from "@/lib/certificates/trust-stores/trust-store-row";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** One trust store of the organization. Throws 404. */
export function getTrustStore(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getTrustStore>,
): Promise<Output<typeof contract.getTrustStore>> {
  return readTrustStore(organizationId, id);
}
