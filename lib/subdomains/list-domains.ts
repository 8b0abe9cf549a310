import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { domainRelations, toDomains } from "@/lib/subdomains/domain";
import type * as contract from "@/lib/subdomains/domain-contract";

const FILTERS = "subdomains/domains";

/** The organization's domains, newest first. */
export async function listDomains(
  { organizationId }: Principal,
  { limit, cursor }: Input<typeof contract.listDomains>,
): Promise<Output<typeof contract.listDomains>> {
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().domain.findMany({
    where: { organizationId, ...(after !== null && { id: { lt: after } }) },
    include: domainRelations,
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, FILTERS);
  return { items: await toDomains(organizationId, items), nextCursor };
}
