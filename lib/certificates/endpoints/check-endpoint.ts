import { check } from "@/lib/certificates/check/check";
import type * as contract from "@/lib/certificates/contract";
import { readCertificateEndpoint } from "@/lib/certificates/endpoints/certificate-endpoint";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { queueChecks } from "@/lib/jobs/queue-checks";

/**
 * Checks and scans an endpoint now; one of an agent becomes due, and the agent checks it soon. The result changes no settings, so the request's
 * own event suffices. Throws 403, 404.
 */
export async function checkCertificateEndpoint(
  principal: Principal,
  { id }: Input<typeof contract.checkCertificateEndpoint>,
): Promise<Output<typeof contract.checkCertificateEndpoint>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const before = await readCertificateEndpoint(organizationId, id);
  if (before.agent_id === null) await check(organizationId, id, true);
  else await queueChecks("certificate_endpoints", "NOT t.reported", { organizationId, ids: [id], tag: undefined }, 0);
  return readCertificateEndpoint(organizationId, id);
}
