import { check } from "@/lib/certificates/check/check";
import type * as contract from "@/lib/certificates/contract";
import { readCertificateEndpoint } from "@/lib/certificates/endpoints/certificate-endpoint";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Looks at an endpoint now. What is seen is no change of what is watched, so the request's own event says it all. Throws 403, 404. */
export async function checkCertificateEndpoint(
  principal: Principal,
  { id }: Input<typeof contract.checkCertificateEndpoint>,
): Promise<Output<typeof contract.checkCertificateEndpoint>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  await check(organizationId, id);
  return readCertificateEndpoint(organizationId, id);
}
