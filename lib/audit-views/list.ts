import { toAuditView, visibleTo, withOwnEmail } from "@/lib/audit-views/audit-view";
import type * as contract from "@/lib/audit-views/contract";
import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

const FILTERS = "audit-views";

/** Lists the caller's own views and the organization's, newest first. */
export async function listAuditViews(
  principal: Principal,
  { limit, cursor }: Input<typeof contract.listAuditViews>,
): Promise<Output<typeof contract.listAuditViews>> {
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().auditView.findMany({
    where: { ...visibleTo(principal), ...(after !== null && { id: { lt: after } }) },
    include: withOwnEmail(principal),
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, FILTERS);
  return { items: items.map(toAuditView), nextCursor };
}
