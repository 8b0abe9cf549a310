import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type * as contract from "@/lib/certificates/contract";
import {
  readCertificateEndpoint,
  recordedEndpoint,
  recordedNameOf,
} from "@/lib/certificates/endpoints/certificate-endpoint";
import { changeEndpoint } from "@/lib/certificates/endpoints/change-endpoint";
import { checkAtOnce, SAME_TARGET } from "@/lib/certificates/endpoints/create-endpoint";
import type { CertificateEndpoint } from "@/lib/db/generated/app/client";
import { readRow } from "@/lib/db/rows/change-row";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound, refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Changes an endpoint and checks it immediately unless only its tags or who renews it changed. Throws 400, 403, 404, 409. */
export async function updateCertificateEndpoint(
  principal: Principal,
  { id, ...input }: Input<typeof contract.updateCertificateEndpoint>,
): Promise<Output<typeof contract.updateCertificateEndpoint>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const { isCheckDue } = await refuseDuplicate(
    SAME_TARGET,
    auditedTransaction(async (tx, event) => {
      const before = await readRow<CertificateEndpoint>(tx, "certificate_endpoints", { organizationId, id });
      if (before === undefined) throw notFound();
      const changed = await changeEndpoint(tx, before, input, true);
      event.resource("certificate_endpoint", id);
      recordChanges(event, recordedNameOf(before), recordedEndpoint(before), changed.after);
      return changed;
    }),
  );
  if (isCheckDue) await checkAtOnce(organizationId, id);
  return readCertificateEndpoint(organizationId, id);
}
