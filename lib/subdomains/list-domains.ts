import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { domainRelations, toDomains } from "@/lib/subdomains/domain";
import type * as contract from "@/lib/subdomains/domain-contract";

const FILTERS = "subdomains/domains";
const MAX_CHOICES = 200;

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

/** The newest domains, to choose one of them. Does not count what was found for each. */
export async function listDomainChoices({
  organizationId,
}: Principal): Promise<{ id: string; name: string; provenAt: Date | null }[]> {
  return db().domain.findMany({
    where: { organizationId },
    select: { id: true, name: true, provenAt: true },
    orderBy: { id: "desc" },
    take: MAX_CHOICES,
  });
}
