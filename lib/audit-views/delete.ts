import type { Input, Output } from "@/lib/api/endpoint";
import { notFound } from "@/lib/api/errors";
import { change } from "@/lib/audit-logs/change";
import { toAuditView, visibleTo } from "@/lib/audit-views/audit-view";
import type * as contract from "@/lib/audit-views/contract";
import { type Principal, requireAdmin } from "@/lib/auth/principal";

/** Deletes a view. Throws 403, and 404 also for somebody else's. */
export async function deleteAuditView(
  principal: Principal,
  { id }: Input<typeof contract.deleteAuditView>,
): Promise<Output<typeof contract.deleteAuditView>> {
  requireAdmin(principal);
  return change(async (tx, event) => {
    event.resource("audit_view", id);
    const row = await tx.auditView.findFirst({ where: { ...visibleTo(principal), id } });
    if (row === null) throw notFound();
    await tx.auditView.deleteMany({ where: { ...visibleTo(principal), id } });
    return toAuditView(row);
  });
}
