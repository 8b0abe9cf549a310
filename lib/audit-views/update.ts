import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import {
  ownerOf,
  recordedView,
  requireRoomForView,
  SAME_NAME,
  toAuditView,
  visibleTo,
  withOwnEmail,
} from "@/lib/audit-views/audit-view";
import type * as contract from "@/lib/audit-views/contract";
import { setWeeklyEmail, stopEmailsOfOthers } from "@/lib/audit-views/set-weekly-email";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound, refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Changes the given fields of a view. Throws 400, 403, 404, and 409 if the name is taken or the new owner has 200 views. A weekly e-mail is not a change of the view. */
export async function updateAuditView(
  principal: Principal,
  { id, name, scope, query, weekly_email }: Input<typeof contract.updateAuditView>,
): Promise<Output<typeof contract.updateAuditView>> {
  requireAdmin(principal);
  return refuseDuplicate(
    SAME_NAME,
    auditedTransaction(async (tx, event) => {
      event.resource("audit_view", id);
      const include = withOwnEmail(principal);
      const before = await tx.auditView.findFirst({ where: { ...visibleTo(principal), id }, include });
      if (before === null) throw notFound();
      const ownerId = scope === undefined ? before.ownerId : ownerOf(principal, scope);
      if (ownerId !== before.ownerId) await requireRoomForView(tx, principal.organizationId, ownerId);
      if (weekly_email === undefined || (name ?? scope ?? query) !== undefined) {
        await tx.auditView.updateMany({
          where: { ...visibleTo(principal), id },
          data: {
            ...(name !== undefined && { name }),
            ...(scope !== undefined && { ownerId }),
            ...(query !== undefined && { query }),
            updatedAt: new Date(),
          },
        });
      }
      if (scope === "personal") await stopEmailsOfOthers(tx, principal, id);
      if (weekly_email !== undefined) await setWeeklyEmail(tx, principal, id, weekly_email);
      const row = await tx.auditView.findFirst({ where: { ...visibleTo(principal), id }, include });
      if (row === null) throw notFound();
      const after = toAuditView(row);
      recordChanges(event, before.name, recordedView(toAuditView(before)), recordedView(after));
      return after;
    }),
  );
}
