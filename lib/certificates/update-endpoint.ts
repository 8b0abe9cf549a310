import type { Input, Output } from "@/lib/api/endpoint";
import { notFound } from "@/lib/api/errors";
import { change } from "@/lib/audit-logs/change";
import { type Principal, requireAdmin } from "@/lib/auth/principal";
import { readCertificateEndpoint } from "@/lib/certificates/certificate-endpoint";
import { changeEndpoint } from "@/lib/certificates/change-endpoint";
import type * as contract from "@/lib/certificates/contract";
import { checkAtOnce, refuseDuplicate } from "@/lib/certificates/create-endpoint";

/** Changes how an endpoint is watched; it is checked at once unless only its tags changed. Throws 400, 403, 404, 409. */
export async function updateCertificateEndpoint(
  principal: Principal,
  { id, ...input }: Input<typeof contract.updateCertificateEndpoint>,
): Promise<Output<typeof contract.updateCertificateEndpoint>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const { isCheckDue } = await refuseDuplicate(
    change(async (tx, event) => {
      const before = await tx.certificateEndpoint.findUnique({ where: { organizationId_id: { organizationId, id } } });
      if (before === null) throw notFound();
      const changed = await changeEndpoint(tx, before, input, true);
      event.resource("certificate_endpoint", id);
      return changed;
    }),
  );
  if (isCheckDue) await checkAtOnce(organizationId, id);
  return readCertificateEndpoint(organizationId, id);
}
