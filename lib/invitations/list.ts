import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/invitations/contract";
import { toInvitation } from "@/lib/invitations/invitation";
import { requireOwn } from "@/lib/organizations/organization";

const FILTERS = "invitations";

/** The organization's pending invitations, newest first. Throws 404. */
export async function listInvitations(
  principal: Principal,
  { id, limit, cursor }: Input<typeof contract.listInvitations>,
): Promise<Output<typeof contract.listInvitations>> {
  requireOwn(principal, id);
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().invitation.findMany({
    where: { organizationId: id, ...(after !== null && { id: { lt: after } }) },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, FILTERS);
  return { items: items.map(toInvitation), nextCursor };
}
