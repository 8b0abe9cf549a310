import type * as contract from "@/lib/certificates/contract";
import { readCertificateEndpoint } from "@/lib/certificates/endpoints/certificate-endpoint";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** One endpoint of the organization with the chain it serves. Throws 404. */
export function getCertificateEndpoint(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getCertificateEndpoint>,
): Promise<Output<typeof contract.getCertificateEndpoint>> {
  return readCertificateEndpoint(organizationId, id);
}
