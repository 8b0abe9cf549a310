import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type * as contract from "@/lib/invitations/contract";
import { toInvitation } from "@/lib/invitations/invitation";
import { lockMembers } from "@/lib/organizations/membership";
import { requireOwn } from "@/lib/organizations/organization";

/** Withdraws a pending invitation. Throws 403, 404. */
export async function withdrawInvitation(
  principal: Principal,
  { id: organizationId, invitation_id: id }: Input<typeof contract.withdrawInvitation>,
): Promise<Output<typeof contract.withdrawInvitation>> {
  requireAdmin(principal);
  requireOwn(principal, organizationId);
  return auditedTransaction(async (tx, event) => {
    await lockMembers(tx, organizationId);
    const row = await tx.invitation.findUnique({ where: { organizationId_id: { organizationId, id } } });
    if (row === null) throw notFound();
    await tx.invitation.delete({ where: { organizationId_id: { organizationId, id } } });
    event.resource("invitation", id);
    event.row.details = { invitation: { email: row.email, permission: row.permission } };
    const before = { permission: row.permission, expires_at: row.expiresAt.toISOString() };
    recordChanges(event, row.email, before, null);
    event.flag("organization_updated");
    return toInvitation(row);
  });
}
