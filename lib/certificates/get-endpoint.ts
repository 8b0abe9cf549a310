import type { Input, Output } from "@/lib/api/endpoint";
import type { Principal } from "@/lib/auth/principal";
import { readCertificateEndpoint } from "@/lib/certificates/certificate-endpoint";
import type * as contract from "@/lib/certificates/contract";

/** One endpoint of the organization with the chain it serves. Throws 404. */
export function getCertificateEndpoint(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getCertificateEndpoint>,
): Promise<Output<typeof contract.getCertificateEndpoint>> {
  return readCertificateEndpoint(organizationId, id);
}
