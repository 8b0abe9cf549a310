import { db } from "@/lib/db/app";
import type { Membership, User } from "@/lib/db/generated/app/client";
import { decodeIdCursor, encodeCursor } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Permission, Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/organizations/contract";
import { requireOwn } from "@/lib/organizations/organization";

const FILTERS = "members";

/** A member as the contract shows it. */
export function toMember({ userId, user, permission, createdAt }: Membership & { user: User }): contract.Member {
  return {
    user_id: userId,
    name: user.name,
    email: user.email,
    permission: permission as Permission,
    created_at: createdAt.toISOString(),
  };
}

/** The organization's members. Throws 404. */
export async function listMembers(
  principal: Principal,
  { id, limit, cursor }: Input<typeof contract.listMembers>,
): Promise<Output<typeof contract.listMembers>> {
  requireOwn(principal, id);
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().membership.findMany({
    where: { organizationId: id, ...(after !== null && { userId: { lt: after } }) },
    orderBy: { userId: "desc" },
    include: { user: true },
    take: limit + 1,
  });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(toMember),
    nextCursor: rows.length > limit && last ? encodeCursor([last.userId], FILTERS) : null,
  };
}

/** All members of an organization, longest-standing first, for the operator. */
export async function everyMember({ organizationId }: { organizationId: string }): Promise<contract.Member[]> {
  const rows = await db().membership.findMany({
    where: { organizationId },
    orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
    include: { user: true },
  });
  return rows.map(toMember);
}
