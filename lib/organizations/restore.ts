import { isDeletionBegun } from "@/lib/audit-logs/hold/is-deletion-begun";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type * as contract from "@/lib/organizations/contract";
import { requireOwn, toOrganization } from "@/lib/organizations/organization";

/** Cancels a scheduled deletion; does nothing if none is scheduled. Throws 403, 404, 409 if the deletion has begun. */
export async function restoreOrganization(
  principal: Principal,
  { id }: Input<typeof contract.restoreOrganization>,
): Promise<Output<typeof contract.restoreOrganization>> {
  requireAdmin(principal);
  requireOwn(principal, id);
  return auditedTransaction(async (tx, event) => {
    await tx.$queryRaw`SELECT FROM organizations WHERE id = ${id}::uuid FOR UPDATE`;
    const before = await tx.organization.findUnique({ where: { id } });
    if (before === null) throw notFound();
    event.resource("organization", id);
    if (before.deletionDueAt === null) return toOrganization(before, principal.permission);
    if (await isDeletionBegun(tx, id)) {
      throw new ApiError("CONFLICT", "The deletion has begun and can no longer be cancelled.");
    }
    const row = await tx.organization.update({
      where: { id },
      data: { deletionRequestedAt: null, deletionRequestedBy: null, deletionDueAt: null },
    });
    event.row.details = { deletion: null };
    const deletion = { due_at: before.deletionDueAt.toISOString() };
    recordChanges(event, before.name, { deletion }, event.row.details);
    event.flag("organization_updated");
    return toOrganization(row, principal.permission);
  });
}
