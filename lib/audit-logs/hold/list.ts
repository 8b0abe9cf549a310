import type { listAuditHolds as contract } from "@/lib/audit-logs/hold/contract";
import { toAuditHold } from "@/lib/audit-logs/hold/hold";
import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** Lists the holds on the organization's log, newest first. */
export async function listAuditHolds(
  { organizationId }: Principal,
  { limit, cursor, status }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const bound = ["audit-holds", status];
  const after = decodeIdCursor(cursor, bound);
  const released = { active: { releasedAt: null }, released: { releasedAt: { not: null } } };
  const rows = await db().auditHold.findMany({
    where: { organizationId, ...(status && released[status]), ...(after !== null && { id: { lt: after } }) },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, bound);
  return { items: items.map(toAuditHold), nextCursor };
}
