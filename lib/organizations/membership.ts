import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { requireRoom } from "@/lib/billing/plan-limits";
import type { Transaction } from "@/lib/db/app";
import { ApiError, notFound } from "@/lib/http/errors";
import type { Permission } from "@/lib/http/principal";
import type { Member } from "@/lib/organizations/contract";
import { toMember } from "@/lib/organizations/list-members";

/** Organizations that a person may be a member of: each of their requests reads all of them. */
const MAX_MEMBERSHIPS = 200;

interface Who {
  organizationId: string;
  userId: string;
}

interface ChangeOptions {
  /** For an identity provider, which decides who is an admin. */
  mayLeaveNoAdmin?: boolean;
}

/** Serializes changes to the members: two changes that each leave one admin must not together leave none. */
export async function lockMembers(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$executeRaw`SELECT FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
}

async function find(tx: Transaction, who: Who) {
  return tx.membership.findUnique({ where: { organizationId_userId: who }, include: { user: true } });
}

/** An invitation that was not used would let a person in again after their membership ended. */
async function deleteInvitations(tx: Transaction, organizationId: string, email: string): Promise<void> {
  await tx.invitation.deleteMany({ where: { organizationId, email } });
}

/**
 * Throws 409 if the person is a member of too many organizations. Concurrent additions of the person wait until the transaction ends,
 * by a lock that is taken last: a sign-in locks the person before the organization, others the organization first.
 */
export async function requireFewMemberships(tx: Transaction, userId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`memberships:${userId}`}, 0))`;
  if ((await tx.membership.count({ where: { userId } })) < MAX_MEMBERSHIPS) return;
  throw new ApiError("CONFLICT", `A person can be a member of at most ${MAX_MEMBERSHIPS} organizations.`);
}

/** Makes a person a member, and deletes invitations to their address. Throws 402, 409. */
export async function addMemberIn(
  tx: Transaction,
  event: AuditEventDraft,
  who: Who,
  permission: Permission,
): Promise<void> {
  await requireRoom(tx, who.organizationId, "members", 1);
  await requireFewMemberships(tx, who.userId);
  const { user } = await tx.membership.create({
    data: { ...who, permission, createdAt: event.occurredAt },
    include: { user: true },
  });
  await deleteInvitations(tx, who.organizationId, user.email);
  event.resource("member", who.userId);
  event.flag("member_added");
  recordChanges(event, user.email, null, { permission });
}

/** Changes a member's permission with immediate effect. Ends weekly e-mails that only an admin could stop. Throws 404, 409 if no admin would be left. */
export async function changeMemberIn(
  tx: Transaction,
  event: AuditEventDraft,
  who: Who,
  permission: Permission,
  { mayLeaveNoAdmin = false }: ChangeOptions = {},
): Promise<Member> {
  await lockMembers(tx, who.organizationId);
  const before = await find(tx, who);
  if (before === null) throw notFound();
  event.resource("member", who.userId);
  if (before.permission === permission) return toMember(before);
  await tx.membership.update({ where: { organizationId_userId: who }, data: { permission } });
  if (permission === "read") await tx.auditViewEmail.deleteMany({ where: who });
  if (before.permission === "admin" && !mayLeaveNoAdmin) await requireAnAdmin(tx, who.organizationId);
  event.row.details = { member: { email: before.user.email, permission: { from: before.permission, to: permission } } };
  event.flag("member_changed");
  recordChanges(event, before.user.email, { permission: before.permission }, { permission });
  return toMember({ ...before, permission });
}

/**
 * Removes a member, and invitations to their address. Sessions read memberships on every request, so the next one is refused. The
 * sessions of a person without any membership left are ended. Throws 404, 409 if no admin would be left.
 */
export async function removeMemberIn(
  tx: Transaction,
  event: AuditEventDraft,
  who: Who,
  { mayLeaveNoAdmin = false }: ChangeOptions = {},
): Promise<Member> {
  await lockMembers(tx, who.organizationId);
  const before = await find(tx, who);
  if (before === null) throw notFound();
  await tx.membership.delete({ where: { organizationId_userId: who } });
  await deleteInvitations(tx, who.organizationId, before.user.email);
  if (before.permission === "admin" && !mayLeaveNoAdmin) await requireAnAdmin(tx, who.organizationId);
  const others = await tx.membership.count({ where: { userId: who.userId } });
  if (others === 0) {
    const ended = { endedAt: event.occurredAt, idToken: null };
    await tx.session.updateMany({ where: { userId: who.userId, endedAt: null }, data: ended });
  }
  event.resource("member", who.userId);
  event.row.details = { member: { email: before.user.email, permission: before.permission } };
  event.flag("member_removed");
  recordChanges(event, before.user.email, { permission: before.permission }, null);
  return toMember(before);
}

async function requireAnAdmin(tx: Transaction, organizationId: string): Promise<void> {
  const admins = await tx.membership.count({ where: { organizationId, permission: "admin" } });
  if (admins === 0) throw new ApiError("CONFLICT", "An organization must keep at least one admin.");
}
