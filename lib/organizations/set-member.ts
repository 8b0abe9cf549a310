import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { findPerson } from "@/lib/auth/find-person";
import { config } from "@/lib/config";
import { db } from "@/lib/db/app";
import { ApiError, invalid } from "@/lib/http/errors";
import { type Permission, type Principal, requireAdmin } from "@/lib/http/principal";
import { addMemberIn, changeMemberIn, lockMembers, removeMemberIn } from "@/lib/organizations/membership";

/**
 * Makes a person a member, or changes a member's permission with immediate effect. Identifies the person by the e-mail address
 * they signed in with. Throws 400 if the address is unknown or ambiguous, 402, 403, 409 if no admin would be left or the person is a
 * member of too many organizations.
 */
export async function setMember(
  principal: Principal,
  { email, permission }: { email: string; permission: Permission },
): Promise<{ user_id: string; permission: Permission }> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const userId = await userIdOf(email);
  return auditedTransaction(async (tx, event) => {
    const who = { organizationId, userId };
    await lockMembers(tx, organizationId);
    const before = await tx.membership.findUnique({ where: { organizationId_userId: who } });
    if (before === null) await addMemberIn(tx, event, who, permission);
    else await changeMemberIn(tx, event, who, permission);
    return { user_id: userId, permission };
  });
}

/** Removes a person from the organization with immediate effect. Throws 400, 403, 409 if no admin would be left. */
export async function removeMemberByEmail(
  principal: Principal,
  { email }: { email: string },
): Promise<{ user_id: string }> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const userId = await userIdOf(email);
  return auditedTransaction(async (tx, event) => {
    const who = { organizationId, userId };
    const member = await tx.membership.findUnique({ where: { organizationId_userId: who } });
    if (member === null) throw invalid("email", "does not belong to a member");
    await removeMemberIn(tx, event, who);
    return { user_id: userId };
  });
}

/**
 * Links a member to another account of the identity provider, identified by its subject, after their account or the provider
 * was replaced. Their sessions end. Throws 400 if the person is unknown or no member, 403, 409 if the account belongs to
 * another person.
 */
export async function relinkMember(
  principal: Principal,
  { email, subject }: { email: string; subject: string },
): Promise<{ user_id: string; subject: string }> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const userId = await userIdOf(email);
  return auditedTransaction(async (tx, event) => {
    const membership = await tx.membership.findUnique({
      where: { organizationId_userId: { organizationId, userId } },
      include: { user: true },
    });
    if (membership === null) throw invalid("email", "does not belong to a member");
    const issuer = config().OIDC_ISSUER ?? membership.user.issuer;
    const holder = await findPerson(tx, { issuer, subject });
    if (holder !== null && holder.id !== userId)
      throw new ApiError("CONFLICT", `${holder.email} already signs in with this account.`);
    await tx.user.update({ where: { id: userId }, data: { issuer, subject } });
    await tx.session.updateMany({
      where: { userId, endedAt: null },
      data: { endedAt: event.occurredAt, idToken: null },
    });
    event.resource("member", userId);
    event.flag("member_changed");
    const before = { issuer: membership.user.issuer, subject: membership.user.subject };
    recordChanges(event, membership.user.email, before, { issuer, subject });
    return { user_id: userId, subject };
  });
}

async function userIdOf(email: string): Promise<string> {
  const users = await db().user.findMany({ where: { email: email.toLowerCase() }, take: 2 });
  const [user] = users;
  if (user === undefined) throw invalid("email", "does not belong to anyone who has signed in");
  if (users.length > 1) throw invalid("email", "belongs to several people");
  return user.id;
}
