import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";

/** The number of admins of the caller's organization. */
export async function countAdmins({ organizationId }: Principal): Promise<number> {
  return db().membership.count({ where: { organizationId, permission: "admin" } });
}
