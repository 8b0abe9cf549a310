import { db } from "@/lib/db/app";
import { decodePosition, encodeCursor } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/subdomains/contract";
import { issuanceRelations, toIssuance } from "@/lib/subdomains/issuance";

function positionOf(cursor: string | undefined, bound: unknown): { at: Date; id: string } | null {
  if (cursor === undefined) return null;
  const [at = "", id = ""] = decodePosition(cursor, bound, ["time", "id"]);
  return { at: new Date(at), id };
}

/** Certificates issued for the organization's domains, most recently issued first. */
export async function listIssuances(
  { organizationId }: Principal,
  { limit, cursor, ...filters }: Input<typeof contract.listIssuances>,
): Promise<Output<typeof contract.listIssuances>> {
  const bound = ["subdomains/issuances", filters];
  const after = positionOf(cursor, bound);
  const { domain_id, unexpected, accounted, current } = filters;
  const now = new Date();
  const rows = await db().issuance.findMany({
    where: {
      organizationId,
      ...(domain_id !== undefined && { domainId: domain_id }),
      ...(unexpected !== undefined && { unexpectedSince: unexpected === "true" ? { not: null } : null }),
      ...(accounted !== undefined && { authorizedBy: accounted === "true" ? { not: null } : null }),
      ...(current !== undefined && { notAfter: current === "true" ? { gt: now } : { lte: now } }),
      ...(after !== null && {
        OR: [{ notBefore: { lt: after.at } }, { notBefore: after.at, id: { lt: after.id } }],
      }),
    },
    include: issuanceRelations,
    orderBy: [{ notBefore: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => toIssuance(row, now)),
    nextCursor: rows.length > limit && last ? encodeCursor([last.notBefore.toISOString(), last.id], bound) : null,
  };
}
