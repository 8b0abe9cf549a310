import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { requireFewerThan } from "@/lib/billing/fixed-limit";
import type * as contract from "@/lib/certificates/trust-stores/trust-store-contract";
import { MAX_TRUST_STORES } from "@/lib/certificates/trust-stores/trust-store-contract";
import { readTrustStore, recordedTrustStore } from "@/lib/certificates/trust-stores/trust-store-row";
import { readUploadedPem, writePem } from "@/lib/certificates/x509/uploaded-pem";
import type { Transaction } from "@/lib/db/app";
import { lockClasses } from "@/lib/db/hold-lock";
import type { Input, Output } from "@/lib/http/endpoint";
import { refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";

/** The error for a second one with the same name. */
export const SAME_NAME = "A trust store with this name already exists.";

/** Creates a trust store of certificates that endpoints may trust in addition to the public roots. Throws 400, 403, 409. */
export async function createTrustStore(
  principal: Principal,
  { name, pem, is_default: isDefault }: Input<typeof contract.createTrustStore>,
): Promise<Output<typeof contract.createTrustStore>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const certificates = readUploadedPem(pem);
  const now = new Date();
  const id = newId();
  await refuseDuplicate(
    SAME_NAME,
    auditedTransaction(async (tx, event) => {
      const data = { organizationId, id, name, pem: writePem(certificates), isDefault, createdAt: now, updatedAt: now };
      if (isDefault) await clearDefault(tx, organizationId, now);
      const count = () => tx.certificateTrustStore.count({ where: { organizationId } });
      await requireFewerThan(tx, organizationId, MAX_TRUST_STORES, "trust stores", count);
      await tx.certificateTrustStore.create({ data });
      event.resource("certificate_trust_store", id);
      recordChanges(event, name, null, recordedTrustStore(data));
    }),
  );
  return readTrustStore(organizationId, id);
}

/**
 * Clears the default trust store, and prevents others from choosing one before the transaction ends. Not by the organization's row, which
 * others lock while they wait for endpoints that the transaction has changed.
 */
export async function clearDefault(tx: Transaction, organizationId: string, now: Date): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(${lockClasses.defaultTrustStore | 0}::integer, hashtext(${organizationId}))::text`;
  await tx.certificateTrustStore.updateMany({
    where: { organizationId, isDefault: true },
    data: { isDefault: false, updatedAt: now },
  });
}
