import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { nameTaken, ownerOf, recordedView, toAuditView, visibleTo } from "@/lib/audit-views/audit-view";
import type * as contract from "@/lib/audit-views/contract";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Changes the given fields of a view. Throws 400, 403, 404, and 409 if the name is taken. */
export async function updateAuditView(
  principal: Principal,
  { id, name, scope, query }: Input<typeof contract.updateAuditView>,
): Promise<Output<typeof contract.updateAuditView>> {
  requireAdmin(principal);
  try {
    return await auditedTransaction(async (tx, event) => {
      event.resource("audit_view", id);
      const before = await tx.auditView.findFirst({ where: { ...visibleTo(principal), id } });
      const [row] = await tx.auditView.updateManyAndReturn({
        where: { ...visibleTo(principal), id },
        data: {
          ...(name !== undefined && { name }),
          ...(scope !== undefined && { ownerId: ownerOf(principal, scope) }),
          ...(query !== undefined && { query }),
          updatedAt: new Date(),
        },
      });
      if (before === null || row === undefined) throw notFound();
      const after = toAuditView(row);
      recordChanges(event, before.name, recordedView(toAuditView(before)), recordedView(after));
      return after;
    });
  } catch (error) {
    throw nameTaken(error);
  }
}
