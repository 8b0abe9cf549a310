import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { recordedView, toAuditView, visibleTo, withOwnEmail } from "@/lib/audit-views/audit-view";
import type * as contract from "@/lib/audit-views/contract";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Deletes a view. Throws 403, and 404 also for personal views of others. */
export async function deleteAuditView(
  principal: Principal,
  { id }: Input<typeof contract.deleteAuditView>,
): Promise<Output<typeof contract.deleteAuditView>> {
  requireAdmin(principal);
  return auditedTransaction(async (tx, event) => {
    event.resource("audit_view", id);
    const row = await tx.auditView.findFirst({
      where: { ...visibleTo(principal), id },
      include: withOwnEmail(principal),
    });
    if (row === null) throw notFound();
    await tx.auditView.deleteMany({ where: { ...visibleTo(principal), id } });
    const last = toAuditView(row);
    recordChanges(event, row.name, recordedView(last), null);
    return last;
  });
}
