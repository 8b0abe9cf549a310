import { evaluateSoon } from "@/lib/alert-schedule/evaluate-soon";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { lockDomain, readDomain, recordedDomain } from "@/lib/subdomains/domain";
import type * as contract from "@/lib/subdomains/domain-contract";

/** Deletes a domain and everything discovered for it. Throws 403, 404. */
export async function deleteDomain(
  principal: Principal,
  { id }: Input<typeof contract.deleteDomain>,
): Promise<Output<typeof contract.deleteDomain>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const last = await readDomain(organizationId, id);
  await auditedTransaction(async (tx, event) => {
    const row = await lockDomain(tx, organizationId, id);
    await tx.domain.delete({ where: { organizationId_id: { organizationId, id } } });
    await evaluateSoon(tx, organizationId);
    event.resource("domain", id);
    const sources = row.sources.map(({ source }) => source);
    recordChanges(event, row.name, recordedDomain(row, sources), null);
  });
  return last;
}
