import type { Input, Output } from "@/lib/api/endpoint";
import type { Principal } from "@/lib/auth/principal";
import type * as contract from "@/lib/certificates/trust-store-contract";
import { readTrustStore } from "@/lib/certificates/trust-store-row";

/** One trust store of the organization. Throws 404. */
export function getTrustStore(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getTrustStore>,
): Promise<Output<typeof contract.getTrustStore>> {
  return readTrustStore(organizationId, id);
}
