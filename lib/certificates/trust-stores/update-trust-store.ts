import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { clearDefault, SAME_NAME } from "@/lib/certificates/trust-stores/create-trust-store";
import { makeUsersDue, recheckUsers } from "@/lib/certificates/trust-stores/recheck-users";
import type * as contract from "@/lib/certificates/trust-stores/trust-store-contract";
import { readTrustStore, recordedTrustStore } from "@/lib/certificates/trust-stores/trust-store-row";
import { readUploadedPem, writePem } from "@/lib/certificates/x509/uploaded-pem";
import { logFailure } from "@/lib/db/outage-log";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound, refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Milliseconds in which a request makes endpoints and monitors due; the worker does the rest. */
const RECHECK_MS = 2_000;

/** The change is committed: what fails here is left to the worker. */
async function makeSomeDue(organizationId: string, id: string): Promise<void> {
  try {
    await makeUsersDue(organizationId, id, AbortSignal.timeout(RECHECK_MS));
  } catch (error) {
    logFailure("what uses a changed trust store could not be made due; the worker will", error, { trust_store_id: id });
  }
}

/** Changes a trust store; the worker then checks the endpoints and monitors that use it. Throws 400, 403, 404, 409. */
export async function updateTrustStore(
  principal: Principal,
  { id, name, pem, is_default }: Input<typeof contract.updateTrustStore>,
): Promise<Output<typeof contract.updateTrustStore>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const certificates = pem === undefined ? undefined : readUploadedPem(pem);
  await refuseDuplicate(
    SAME_NAME,
    auditedTransaction(async (tx, event) => {
      const now = new Date();
      const before = await tx.certificateTrustStore.findUnique({
        where: { organizationId_id: { organizationId, id } },
      });
      if (before === null) throw notFound();
      const after = {
        name: name ?? before.name,
        pem: certificates ? writePem(certificates) : before.pem,
        isDefault: is_default ?? before.isDefault,
      };
      if (is_default && !before.isDefault) await clearDefault(tx, organizationId, now);
      const { count } = await tx.certificateTrustStore.updateMany({
        where: { organizationId, id },
        // Unless asked for, the default stays as it is: somebody may just have chosen another one.
        data: {
          name: after.name,
          pem: after.pem,
          ...(is_default !== undefined && { isDefault: is_default }),
          ...(certificates !== undefined && recheckUsers),
          updatedAt: now,
        },
      });
      if (count === 0) throw notFound();
      event.resource("certificate_trust_store", id);
      recordChanges(event, before.name, recordedTrustStore(before), recordedTrustStore(after));
    }),
  );
  if (certificates !== undefined) await makeSomeDue(organizationId, id);
  return readTrustStore(organizationId, id);
}
