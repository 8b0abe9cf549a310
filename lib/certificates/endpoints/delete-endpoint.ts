import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type * as contract from "@/lib/certificates/contract";
import {
  readCertificateEndpoint,
  recordedEndpoint,
  recordedNameOf,
} from "@/lib/certificates/endpoints/certificate-endpoint";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Deletes an endpoint and returns its last state. Throws 403, 404. */
export async function deleteCertificateEndpoint(
  principal: Principal,
  { id }: Input<typeof contract.deleteCertificateEndpoint>,
): Promise<Output<typeof contract.deleteCertificateEndpoint>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const last = await readCertificateEndpoint(organizationId, id);
  await auditedTransaction(async (tx, event) => {
    const before = await tx.certificateEndpoint.findUnique({ where: { organizationId_id: { organizationId, id } } });
    const { count } = await tx.certificateEndpoint.deleteMany({ where: { organizationId, id } });
    if (before === null || count === 0) throw notFound();
    event.resource("certificate_endpoint", id);
    recordChanges(event, recordedNameOf(before), recordedEndpoint(before), null);
  });
  return last;
}
