import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { clearDefault, SAME_NAME } from "@/lib/certificates/trust-stores/create-trust-store";
import type * as contract from "@/lib/certificates/trust-stores/trust-store-contract";
import { readTrustStore, recordedTrustStore } from "@/lib/certificates/trust-stores/trust-store-row";
import { readUploadedPem, writePem } from "@/lib/certificates/x509/uploaded-pem";
import { queryIn, type Transaction } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound, refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

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
          updatedAt: now,
        },
      });
      if (count === 0) throw notFound();
      event.resource("certificate_trust_store", id);
      recordChanges(event, before.name, recordedTrustStore(before), recordedTrustStore(after));
      if (certificates === undefined) return;
      await checkUsers(tx, organizationId, id, now);
    }),
  );
  return readTrustStore(organizationId, id);
}

/**
 * Makes the endpoints and monitors that use a trust store due now, unless they are; earlier findings were judged by its old certificates.
 * Locks them in the order in which recorded checks do.
 */
async function checkUsers(tx: Transaction, organizationId: string, id: string, now: Date): Promise<void> {
  const values = [organizationId, id, now];
  await queryIn(tx, {
    text: `WITH users AS (
        SELECT id FROM certificate_endpoints WHERE organization_id = $1::uuid AND trust_store_id = $2::uuid
          AND (next_check_at > $3::timestamptz OR tls_scan_due_at > $3::timestamptz OR recent_leaves IS NOT NULL)
        ORDER BY id FOR NO KEY UPDATE
      )
      UPDATE certificate_endpoints e SET recent_leaves = NULL, next_check_at = least(e.next_check_at, $3::timestamptz),
        tls_scan_due_at = CASE WHEN e.tls_scan_due_at IS NOT NULL THEN least(e.tls_scan_due_at, $3::timestamptz) END
      FROM users WHERE e.organization_id = $1::uuid AND e.id = users.id`,
    values,
  });
  await queryIn(tx, {
    text: `WITH users AS (
        SELECT id FROM uptime_monitors WHERE organization_id = $1::uuid AND trust_store_id = $2::uuid AND next_check_at > $3::timestamptz
        ORDER BY id FOR NO KEY UPDATE
      )
      UPDATE uptime_monitors m SET next_check_at = $3::timestamptz FROM users WHERE m.organization_id = $1::uuid AND m.id = users.id`,
    values,
  });
}
