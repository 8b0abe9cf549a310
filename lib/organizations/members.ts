import type { Permission } from "@/lib/auth/principal";
import { db } from "@/lib/db/app";

/** Someone who may act in an organization. */
export interface Member {
  user_id: string;
  email: string;
  name: string;
  permission: Permission;
  created_at: string;
}

/** The members of an organization, longest first. */
export async function listMembers({ organizationId }: { organizationId: string }): Promise<Member[]> {
  const rows = await db().membership.findMany({
    where: { organizationId },
    orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
    include: { user: true },
  });
  return rows.map(({ userId, user, permission, createdAt }) => ({
    user_id: userId,
    email: user.email,
    name: user.name,
    permission: permission as Permission,
    created_at: createdAt.toISOString(),
  }));
}
