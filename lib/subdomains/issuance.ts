import type { Domain, Issuance as Row } from "@/lib/db/generated/app/client";
import { authorities } from "@/lib/subdomains/accounting/authorities";
import { unauthorizedSince } from "@/lib/subdomains/accounting/unauthorized";
import type { Issuance } from "@/lib/subdomains/contract";
import type { SourceName } from "@/lib/subdomains/domain-contract";

/** The relations of an issuance's row, for Prisma. */
export const issuanceRelations = {
  domain: {
    select: { id: true, name: true, expectedIssuers: true, unauthorizedAfterHours: true, accountedSince: true },
  },
} as const;

type WithDomain = Row & { domain: Pick<Domain, keyof typeof issuanceRelations.domain.select> };

/** A certificate from certificate transparency as the contract shows it. */
export function toIssuance(row: WithDomain, now = new Date()): Issuance {
  const { domain } = row;
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
    public_key_sha256: row.publicKeySha256 === null ? null : Buffer.from(row.publicKeySha256).toString("hex"),
    authorized_by: authorities.find((authority) => authority === row.authorizedBy) ?? null,
    authorized_name: row.authorizedName,
    finding: findingOf(row, now),
  };
}

/** The graver of its findings. */
function findingOf({ domain, ...row }: WithDomain, now: Date): Issuance["finding"] {
  const { issuer, names } = row;
  // An expired certificate is no longer a risk.
  const closed_at = row.notAfter < now ? row.notAfter.toISOString() : null;
  const since = unauthorizedSince(row, domain, now);
  if (since !== null) {
    const evidence = { issuer, names, first_seen_at: row.firstSeenAt.toISOString() };
    const opened_at = since.toISOString();
    return { code: "issuance_unauthorized", severity: "critical", evidence, opened_at, closed_at };
  }
  if (row.unexpectedSince === null) return null;
  const evidence = { issuer, expected: domain.expectedIssuers, names };
  const opened_at = row.unexpectedSince.toISOString();
  return { code: "issuer_unexpected", severity: "warning", evidence, opened_at, closed_at };
}
