import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { type Config, config, requireSetting } from "@/lib/config";
import type { Transaction } from "@/lib/db/app";
import type { Organization } from "@/lib/db/generated/app/client";
import type { Permission } from "@/lib/http/principal";
import { log } from "@/lib/log";
import { addMemberIn, changeMemberIn, lockMembers, removeMemberIn } from "@/lib/organizations/membership";

/** The highest permission that any of these groups has; null if none of them has one. */
function permissionOf(
  groups: readonly string[],
  { OIDC_ADMIN_GROUPS, OIDC_READ_GROUPS }: Pick<Config, "OIDC_ADMIN_GROUPS" | "OIDC_READ_GROUPS">,
): Permission | null {
  if (groups.some((group) => OIDC_ADMIN_GROUPS.includes(group))) return "admin";
  return groups.some((group) => OIDC_READ_GROUPS.includes(group)) ? "read" : null;
}

/**
 * Makes a person's membership of the organization that the groups manage what their groups say, in the transaction of the sign-in. The
 * identity provider decides, so it may leave no admin. Returns that organization if the membership changed. Throws ApiError:
 * PLAN_LIMIT_REACHED if its plan has no room for another member, CONFLICT if the person is a member of too many.
 */
export async function applyGroups(
  tx: Transaction,
  event: AuditEventDraft,
  userId: string,
  groups: readonly string[],
): Promise<Organization | null> {
  const id = requireSetting("OIDC_GROUPS_ORGANIZATION");
  const organization = await tx.organization.findUnique({ where: { id } });
  if (organization === null) {
    log.warn({ organization_id: id }, "OIDC_GROUPS_ORGANIZATION names no organization, so groups give no access");
    return null;
  }
  const who = { organizationId: organization.id, userId };
  const wanted = permissionOf(groups, config());
  await lockMembers(tx, organization.id);
  const before = await tx.membership.findUnique({ where: { organizationId_userId: who } });
  if ((before?.permission ?? null) === wanted) return null;
  if (wanted === null) await removeMemberIn(tx, event, who, { mayLeaveNoAdmin: true });
  else if (before === null) await addMemberIn(tx, event, who, wanted);
  else await changeMemberIn(tx, event, who, wanted, { mayLeaveNoAdmin: true });
  return organization;
}
