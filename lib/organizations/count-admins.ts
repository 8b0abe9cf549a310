import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";

/** How many admins the caller's organization has. */
export async function countAdmins({ organizationId }: Principal): Promise<number> {
  return db().membership.count({ where: { organizationId, permission: "admin" } });
}
