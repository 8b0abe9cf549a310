import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { record } from "@/lib/auth/identify";
import { ApiError } from "@/lib/http/errors";
import type { Actor } from "@/lib/http/principal";
import { findInvitation } from "@/lib/invitations/find";
import { addMemberIn, lockMembers } from "@/lib/organizations/membership";

/**
 * Makes the person a member of the organization that invited them. The link alone is not enough: their identity provider must
 * vouch for the invited address. The event belongs to that organization. Returns its id. Throws 402, 404, and 409 if another
 * person is signed in or they are a member of too many organizations.
 */
export async function acceptInvitation(
  person: Actor & { type: "user" },
  event: AuditEventDraft,
  { token }: { token: string },
): Promise<string> {
  const found = await findInvitation(token);
  if (found === null) throw noInvitation();
  const { organizationId, organization, id, email } = found;
  record(event, { organizationId, actor: person }, organization.plan);
  event.resource("invitation", id);
  if (email !== person.email) {
    throw new ApiError("CONFLICT", `The invitation is for ${email}, and you are signed in as ${person.email}.`);
  }
  return auditedTransaction(async (tx) => {
    await lockMembers(tx, organizationId);
    // If two people accept at the same time, or the invitation was withdrawn meanwhile, nothing is left to delete.
    const { count } = await tx.invitation.deleteMany({ where: { organizationId, id, tokenHash: found.tokenHash } });
    if (count === 0) throw noInvitation();
    const who = { organizationId, userId: person.id };
    const isMember = (await tx.membership.count({ where: who })) > 0;
    if (!isMember) await addMemberIn(tx, event, who, found.permission === "admin" ? "admin" : "read");
    event.row.details = { ...event.row.details, invitation: { id, email, permission: found.permission } };
    return organizationId;
  });
}

function noInvitation(): ApiError {
  return new ApiError("NOT_FOUND", "The link is no longer valid: it expired, or was used, replaced or withdrawn.");
}
