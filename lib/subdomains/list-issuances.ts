import { db } from "@/lib/db/app";
import type { Issuance, Prisma } from "@/lib/db/generated/app/client";
import type { Input, Output } from "@/lib/http/endpoint";
import { orderBy, readPage } from "@/lib/http/page-order";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/subdomains/contract";
import { issuanceRelations, toIssuance } from "@/lib/subdomains/issuance";

const mostRecentFirst = orderBy<Issuance, Prisma.IssuanceWhereInput, Prisma.IssuanceOrderByWithRelationInput>(
  { notBefore: "time", id: "id" },
  "desc",
);

/** Certificates issued for the organization's domains, most recently issued first. */
export async function listIssuances(
  { organizationId }: Principal,
  { limit, cursor, ...filters }: Input<typeof contract.listIssuances>,
): Promise<Output<typeof contract.listIssuances>> {
  const { domain_id, unexpected, accounted, current } = filters;
  const now = new Date();
  const own: Prisma.IssuanceWhereInput = {
    organizationId,
    ...(domain_id !== undefined && { domainId: domain_id }),
    ...(unexpected !== undefined && { unexpectedSince: unexpected === "true" ? { not: null } : null }),
    ...(accounted !== undefined && { authorizedBy: accounted === "true" ? { not: null } : null }),
    ...(current !== undefined && { notAfter: current === "true" ? { gt: now } : { lte: now } }),
  };
  const { rows, nextCursor } = await readPage(
    mostRecentFirst,
    { limit, cursor },
    ["subdomains/issuances", filters],
    ({ after = {}, ...page }) =>
      db().issuance.findMany({ where: { AND: [own, after] }, include: issuanceRelations, ...page }),
  );
  return { items: rows.map((row) => toIssuance(row, now)), nextCursor };
}
