import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { requireOwn } from "@/lib/organizations/organization";
import type * as contract from "@/lib/status-pages/contract";
import { toStatusPage } from "@/lib/status-pages/status-page";

const FILTERS = "status-pages";

/** The organization's status pages, newest first. Throws 404. */
export async function listStatusPages(
  principal: Principal,
  { id, limit, cursor }: Input<typeof contract.listStatusPages>,
): Promise<Output<typeof contract.listStatusPages>> {
  requireOwn(principal, id);
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().statusPage.findMany({
    where: { organizationId: id, ...(after !== null && { id: { lt: after } }) },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, FILTERS);
  return { items: items.map(toStatusPage), nextCursor };
}
