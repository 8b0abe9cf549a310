import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { lockDomain, readDomain, readDomainRow } from "@/lib/subdomains/domain";
import type * as contract from "@/lib/subdomains/domain-contract";
import { findFault } from "@/lib/subdomains/proof";

/** Looks up the TXT record. A verified domain stays verified; a later failure is only reported. Throws 403, 404. */
export async function verifyDomain(
  principal: Principal,
  { id }: Input<typeof contract.verifyDomain>,
): Promise<Output<typeof contract.verifyDomain>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const { name, challenge } = await readDomainRow(organizationId, id);
  const fault = await findFault(name, challenge);
  await auditedTransaction(async (tx, event) => {
    const before = await lockDomain(tx, organizationId, id);
    event.resource("domain", id);
    const now = new Date();
    const isNew = fault === null && before.provenAt === null;
    await tx.domain.update({
      where: { organizationId_id: { organizationId, id } },
      data: { proofCheckedAt: now, proofError: fault, ...(isNew && { provenAt: now }) },
    });
    if (isNew) {
      recordChanges(event, name, { proven_at: null }, { proven_at: now.toISOString() });
      await tx.domainSource.updateMany({ where: { organizationId, domainId: id }, data: { nextRunAt: now } });
    }
  });
  return readDomain(organizationId, id);
}
