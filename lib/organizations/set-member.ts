import { ApiError, invalid } from "@/lib/api/errors";
import { change } from "@/lib/audit-logs/change";
import { type Permission, type Principal, requireAdmin } from "@/lib/auth/principal";
import { config } from "@/lib/config";
import { db, type Transaction } from "@/lib/db/app";
import { requireRoom } from "@/lib/organizations/plan-limits";

/**
 * Makes a person a member, or gives a member another permission; from their next request on. The person is named by the e-mail
 * address they signed in with. Throws 400 for someone unknown or ambiguous, 402, 403, 409 where no admin would be left.
 */
export async function setMember(
  principal: Principal,
  { email, permission }: { email: string; permission: Permission },
): Promise<{ user_id: string; permission: Permission }> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const userId = await userIdOf(email);
  return change(async (tx, event) => {
    await lockMembers(tx, organizationId);
    const before = await tx.membership.findUnique({ where: { organizationId_userId: { organizationId, userId } } });
    if (before === null) {
      await requireRoom(tx, organizationId, "members", 1);
      await tx.membership.create({ data: { organizationId, userId, permission, createdAt: event.occurredAt } });
      event.flag("member_added");
    } else if (before.permission !== permission) {
      await tx.membership.updateMany({ where: { organizationId, userId }, data: { permission } });
      await requireAnAdmin(tx, organizationId);
      event.flag("member_changed");
    }
    event.resource("member", userId);
    return { user_id: userId, permission };
  });
}

/** Takes a person out of the organization: their next request is refused. Throws 400, 403, 409 where no admin would be left. */
export async function removeMember(principal: Principal, { email }: { email: string }): Promise<{ user_id: string }> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const userId = await userIdOf(email);
  return change(async (tx, event) => {
    await lockMembers(tx, organizationId);
    const { count } = await tx.membership.deleteMany({ where: { organizationId, userId } });
    if (count === 0) throw invalid("email", "belongs to no member");
    await requireAnAdmin(tx, organizationId);
    event.resource("member", userId);
    event.flag("member_removed");
    return { user_id: userId };
  });
}

/**
 * Lets a member sign in with another account of the identity provider, which is named by its subject: theirs was replaced, or
 * the provider was. Their sessions end. Throws 400 for someone unknown or no member, 403, 409 where the
 * account is somebody else's.
 */
export async function relinkMember(
  principal: Principal,
  { email, subject }: { email: string; subject: string },
): Promise<{ user_id: string; subject: string }> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const userId = await userIdOf(email);
  return change(async (tx, event) => {
    const membership = await tx.membership.findUnique({
      where: { organizationId_userId: { organizationId, userId } },
      include: { user: true },
    });
    if (membership === null) throw invalid("email", "belongs to no member");
    const issuer = config().OIDC_ISSUER ?? membership.user.issuer;
    const holder = await tx.user.findUnique({ where: { issuer_subject: { issuer, subject } } });
    if (holder !== null && holder.id !== userId) throw new ApiError("CONFLICT", `${holder.email} signs in with it.`);
    await tx.user.update({ where: { id: userId }, data: { issuer, subject } });
    await tx.session.updateMany({
      where: { userId, endedAt: null },
      data: { endedAt: event.occurredAt, idToken: null },
    });
    event.resource("member", userId);
    event.flag("member_changed");
    return { user_id: userId, subject };
  });
}

async function userIdOf(email: string): Promise<string> {
  const users = await db().user.findMany({ where: { email: email.toLowerCase() }, take: 2 });
  const [user] = users;
  if (user === undefined) throw invalid("email", "belongs to nobody who ever signed in");
  if (users.length > 1) throw invalid("email", "belongs to several people");
  return user.id;
}

/** Two changes of one organization's members, each leaving an admin alone, must not leave none together. */
async function lockMembers(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$executeRaw`SELECT FROM organizations WHERE id = ${organizationId}::uuid FOR UPDATE`;
}

async function requireAnAdmin(tx: Transaction, organizationId: string): Promise<void> {
  const admins = await tx.membership.count({ where: { organizationId, permission: "admin" } });
  if (admins === 0) throw new ApiError("CONFLICT", "An organization must keep at least one admin.");
}
