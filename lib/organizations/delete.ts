import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { isRunning } from "@/lib/billing/subscription";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import * as contract from "@/lib/organizations/contract";
import { requireOwn, toOrganization } from "@/lib/organizations/organization";
import { DAY_MS } from "@/lib/time/units";

/**
 * Schedules the organization for deletion after its grace period. The worker deletes it (purge.ts) and notifies all admins
 * beforehand (notify-deletion.ts). Throws 403, 404, and 409 while the audit log is on hold, or while a subscription is
 * active, which would still be charged.
 */
export async function deleteOrganization(
  principal: Principal,
  { id }: Input<typeof contract.deleteOrganization>,
): Promise<Output<typeof contract.deleteOrganization>> {
  requireAdmin(principal);
  requireOwn(principal, id);
  return auditedTransaction(async (tx, event) => {
    await tx.$queryRaw`SELECT id FROM organizations WHERE id = ${id}::uuid FOR UPDATE`;
    const before = await tx.organization.findUnique({ where: { id }, include: { subscription: true } });
    if (before === null) throw notFound();
    event.resource("organization", id);
    if (before.deletionDueAt !== null) return toOrganization(before, principal.permission);
    if (before.subscription !== null && isRunning(before.subscription)) {
      throw new ApiError("CONFLICT", "A subscription is active; cancel it in the billing portal first.");
    }
    const hold = await tx.auditHold.findFirst({
      where: { organizationId: id, releasedAt: null },
      orderBy: { id: "asc" },
    });
    if (hold !== null) {
      throw new ApiError("CONFLICT", `The audit log is on hold ("${hold.name}"); release the hold first.`);
    }
    const due = new Date(event.occurredAt.getTime() + contract.DELETION_GRACE_DAYS * DAY_MS);
    const row = await tx.organization.update({
      where: { id },
      data: {
        deletionRequestedAt: event.occurredAt,
        deletionRequestedBy: principal.actor.name,
        deletionDueAt: due,
        deletionNotifiedAt: null,
      },
    });
    event.row.details = { deletion: { due_at: due.toISOString() } };
    recordChanges(event, before.name, { deletion: null }, event.row.details);
    event.flag("organization_updated");
    return toOrganization(row, principal.permission);
  });
}
