import { check } from "@/lib/certificates/check/check";
import type * as contract from "@/lib/certificates/contract";
import { readCertificateEndpoint } from "@/lib/certificates/endpoints/certificate-endpoint";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Checks an endpoint now. The result changes no settings, so the request's own event suffices. Throws 403, 404. */
export async function checkCertificateEndpoint(
  principal: Principal,
  { id }: Input<typeof contract.checkCertificateEndpoint>,
): Promise<Output<typeof contract.checkCertificateEndpoint>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  await check(organizationId, id);
  return readCertificateEndpoint(organizationId, id);
}
