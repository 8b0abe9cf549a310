import { db } from "@/lib/db/app";
import type * as contract from "@/lib/destinations/contract";
import { showDestinations } from "@/lib/destinations/destination";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

const FILTERS = "destinations";

/** The organization's destinations, newest first. */
export async function listDestinations(
  { organizationId }: Principal,
  { limit, cursor }: Input<typeof contract.listDestinations>,
): Promise<Output<typeof contract.listDestinations>> {
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().destination.findMany({
    where: { organizationId, ...(after !== null && { id: { lt: after } }) },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, FILTERS);
  return { items: await showDestinations(organizationId, items), nextCursor };
}
