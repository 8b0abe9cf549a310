import { db } from "@/lib/db/app";
import type { Domain, Issuance as Row } from "@/lib/db/generated/app/client";
import { decodePosition, encodeCursor } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/subdomains/contract";
import type { Issuance } from "@/lib/subdomains/contract";
import type { SourceName } from "@/lib/subdomains/domain-contract";

type WithDomain = Row & { domain: Pick<Domain, "id" | "name" | "expectedIssuers"> };

/** A certificate from certificate transparency as the contract shows it. */
export function toIssuance({ domain, ...row }: WithDomain): Issuance {
  return {
    id: row.id,
    domain: { id: domain.id, name: domain.name },
    names: row.names,
    issuer: row.issuer,
    not_before: row.notBefore.toISOString(),
    not_after: row.notAfter.toISOString(),
    revoked: row.revoked,
    sources: row.sources as SourceName[],
    first_seen_at: row.firstSeenAt.toISOString(),
    finding:
      row.unexpectedSince === null
        ? null
        : {
            code: "issuer_unexpected",
            severity: "warning",
            evidence: { issuer: row.issuer, expected: domain.expectedIssuers, names: row.names },
            opened_at: row.unexpectedSince.toISOString(),
            // An expired certificate is no longer a risk.
            closed_at: row.notAfter.getTime() < Date.now() ? row.notAfter.toISOString() : null,
          },
  };
}

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
  const { domain_id, unexpected, current } = filters;
  const now = new Date();
  const rows = await db().issuance.findMany({
    where: {
      organizationId,
      ...(domain_id !== undefined && { domainId: domain_id }),
      ...(unexpected !== undefined && { unexpectedSince: unexpected === "true" ? { not: null } : null }),
      ...(current !== undefined && { notAfter: current === "true" ? { gt: now } : { lte: now } }),
      ...(after !== null && {
        OR: [{ notBefore: { lt: after.at } }, { notBefore: after.at, id: { lt: after.id } }],
      }),
    },
    include: { domain: { select: { id: true, name: true, expectedIssuers: true } } },
    orderBy: [{ notBefore: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(toIssuance),
    nextCursor: rows.length > limit && last ? encodeCursor([last.notBefore.toISOString(), last.id], bound) : null,
  };
}
