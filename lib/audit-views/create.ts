import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import {
  ownerOf,
  recordedView,
  requireRoomForView,
  SAME_NAME,
  toAuditView,
  withOwnEmail,
} from "@/lib/audit-views/audit-view";
import type * as contract from "@/lib/audit-views/contract";
import type { Input, Output } from "@/lib/http/endpoint";
import { refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";

/** Saves a view. Throws 400, 403, and 409 if the name is taken or the owner has 200 views. */
export async function createAuditView(
  principal: Principal,
  { name, scope, query }: Input<typeof contract.createAuditView>,
): Promise<Output<typeof contract.createAuditView>> {
  requireAdmin(principal);
  const { organizationId, actor } = principal;
  const createdAt = new Date();
  const data = {
    organizationId,
    id: newId(),
    ownerId: ownerOf(principal, scope),
    name,
    query,
    createdAt,
    createdByType: actor.type,
    createdById: actor.type === "system" ? null : actor.id,
    createdByName: actor.name,
    updatedAt: createdAt,
  };
  return refuseDuplicate(
    SAME_NAME,
    auditedTransaction(async (tx, event) => {
      event.resource("audit_view", data.id);
      await requireRoomForView(tx, organizationId, data.ownerId);
      const made = toAuditView(await tx.auditView.create({ data, include: withOwnEmail(principal) }));
      recordChanges(event, name, null, recordedView(made));
      return made;
    }),
  );
}
