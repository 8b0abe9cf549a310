import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { requireRoom } from "@/lib/billing/plan-limits";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { claimMail } from "@/lib/invitations/claim-mail";
import * as contract from "@/lib/invitations/contract";
import { invitationUrl, toInvitation } from "@/lib/invitations/invitation";
import { sendInvitation } from "@/lib/invitations/send";
import { lockMembers } from "@/lib/organizations/membership";
import { requireOwn } from "@/lib/organizations/organization";
import { DAY_MS } from "@/lib/time/units";
import { hashToken, newToken } from "@/lib/tokens";

/**
 * Invites an address, by e-mail unless many were sent already. Inviting it again replaces the earlier link. Pending invitations count towards the plan's limit like
 * members. Throws 402, 403, 404, and 409 if the person is already a member.
 */
export async function createInvitation(
  principal: Principal,
  { id: organizationId, email, permission }: Input<typeof contract.createInvitation>,
): Promise<Output<typeof contract.createInvitation>> {
  requireAdmin(principal);
  requireOwn(principal, organizationId);
  const token = newToken();
  const { row: made, mayMail } = await auditedTransaction(async (tx, event) => {
    await lockMembers(tx, organizationId);
    const members = await tx.membership.count({ where: { organizationId, user: { email } } });
    if (members > 0) throw new ApiError("CONFLICT", `${email} is already a member.`);
    await tx.invitation.deleteMany({ where: { organizationId, email } });
    const now = event.occurredAt;
    const pending = await tx.invitation.count({ where: { organizationId, expiresAt: { gt: now } } });
    await requireRoom(tx, organizationId, "members", 1, pending);
    const row = await tx.invitation.create({
      data: {
        organizationId,
        id: newId(),
        email,
        permission,
        tokenHash: hashToken(token),
        createdAt: now,
        createdBy: principal.actor.name,
        expiresAt: new Date(now.getTime() + contract.INVITATION_DAYS * DAY_MS),
      },
      include: { organization: true },
    });
    event.resource("invitation", row.id);
    event.row.details = { invitation: { email, permission } };
    recordChanges(event, email, null, { permission, expires_at: row.expiresAt.toISOString() });
    event.flag("organization_updated");
    return { row, mayMail: await claimMail(tx, row.organization, email, now) };
  });
  const url = invitationUrl(token);
  const emailed = mayMail && (await sendInvitation(made, made.organization.name, url));
  return { ...toInvitation(made), emailed, url: emailed ? null : url };
}
