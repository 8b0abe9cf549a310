import { createHash } from "node:crypto";
import { evaluateSoon } from "@/lib/alert-schedule/evaluate-soon";
import { isExpectedIssuer } from "@/lib/certificates/judge/policy";
import { inTransaction, type Transaction } from "@/lib/db/app";
import { Prisma } from "@/lib/db/generated/app/client";
import { newId } from "@/lib/ids";
import { IS_HANDED_IN } from "@/lib/subdomains/accounting/account-issuances";
import type { SourceName } from "@/lib/subdomains/domain-contract";
import type { Found, FoundIssuance, FoundName } from "@/lib/subdomains/sources/source";
import { visible } from "@/lib/text/visible";

/** A source's run for a domain. */
export interface Run {
  organizationId: string;
  domainId: string;
  source: SourceName;
  /** Identifies the lease; null if the results are not those of a leased run. */
  leasedUntil: Date | null;
}

/** The domain or its source was deleted, so results have nowhere to go, or another process repeats the run. */
export class Abandoned extends Error {
  override readonly name = "Abandoned";
}

/** Seconds without results from a source after which another process repeats the run. */
export const LEASE_SECONDS = 180;
const LIMITS = { timeout: 60_000 };

/**
 * A key that is equal for one certificate across searches. Searches differ in serial numbers and hashes, and in whether the names
 * include the domain itself.
 */
export function keyOf(domain: string, { issuer, notBefore, notAfter, names }: FoundIssuance): Buffer {
  const below = names.filter((name) => name !== domain);
  const second = (date: Date) => Math.floor(date.getTime() / 1000);
  const facts = [issuer.toLowerCase(), second(notBefore), second(notAfter), ...[...below].sort()];
  return createHash("sha256").update(JSON.stringify(facts)).digest();
}

/** Merges a source's results and position into the database and extends the run's lease, whose end it returns. Throws Abandoned. */
export async function recordFound(run: Run, { names, unanswered = [], issuances, place }: Found): Promise<Date> {
  const { organizationId, domainId, source, leasedUntil } = run;
  return inTransaction(async (tx) => {
    // The sources of a domain write one after the other.
    const [domain] = await tx.$queryRaw<{ name: string; expected_issuers: string[] }[]>`
      SELECT name, expected_issuers FROM domains
      WHERE organization_id = ${organizationId}::uuid AND id = ${domainId}::uuid FOR NO KEY UPDATE`;
    const [kept] = await tx.$queryRaw<{ leased_until: Date }[]>`
      UPDATE domain_sources SET place = ${place}, leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
      WHERE organization_id = ${organizationId}::uuid AND domain_id = ${domainId}::uuid AND source = ${source}
        AND (${leasedUntil}::timestamptz IS NULL OR leased_until = ${leasedUntil}::timestamptz)
      RETURNING leased_until`;
    if (domain === undefined || kept === undefined) throw new Abandoned("the domain, its source or the lease is gone");
    const areNew = names.length > 0 && (await writeNames(tx, run, names));
    // Their addresses stay, and other names are asked for before them.
    if (unanswered.length > 0) {
      await tx.$executeRaw`UPDATE subdomains SET asked_at = now()
        WHERE organization_id = ${organizationId}::uuid AND domain_id = ${domainId}::uuid AND name = ANY (${unanswered})`;
    }
    // Resolve new names from certificates immediately instead of in the next run, and all of them, whatever has been asked already.
    if (areNew && source !== "dns") {
      await tx.$executeRaw`UPDATE domain_sources SET next_run_at = now(), place = NULL
        WHERE organization_id = ${organizationId}::uuid AND domain_id = ${domainId}::uuid AND source = 'dns'`;
    }
    if (issuances.length > 0 && (await writeIssuances(tx, run, domain.name, domain.expected_issuers, issuances))) {
      await evaluateSoon(tx, organizationId);
    }
    return kept.leased_until;
  }, LIMITS);
}

/** Returns whether any name is new. Names that do not resolve only update known names. */
async function writeNames(
  tx: Transaction,
  { organizationId, domainId, source }: Run,
  names: readonly FoundName[],
): Promise<boolean> {
  const rows = names.map(({ name, notAfter, addresses }) => ({
    id: newId(),
    name,
    wildcard: name.startsWith("*."),
    not_after: notAfter,
    addresses,
  }));
  const seen = rows.filter(({ addresses }) => addresses === null || addresses.length > 0);
  const unresolved = rows.filter(({ addresses }) => addresses?.length === 0).map(({ name }) => name);
  const written = await tx.$queryRaw<{ is_new: boolean }[]>`
    INSERT INTO subdomains AS s (organization_id, id, domain_id, name, wildcard, sources, addresses, resolved_at, asked_at,
      certificate_not_after, first_seen_at, last_seen_at)
    SELECT ${organizationId}::uuid, id, ${domainId}::uuid, name, wildcard, ARRAY[${source}], coalesce(addresses, '{}'),
      CASE WHEN addresses IS NULL THEN NULL ELSE now() END, CASE WHEN addresses IS NULL THEN NULL ELSE now() END, not_after, now(), now()
    FROM jsonb_to_recordset(${JSON.stringify(seen)}::jsonb)
      AS found (id uuid, name text, wildcard boolean, not_after timestamptz, addresses text[])
    ORDER BY id
    ON CONFLICT (organization_id, name) DO UPDATE SET
      sources = CASE WHEN ${source} = ANY (s.sources) THEN s.sources ELSE s.sources || excluded.sources END,
      addresses = CASE WHEN excluded.asked_at IS NULL THEN s.addresses ELSE excluded.addresses END,
      resolved_at = coalesce(excluded.resolved_at, s.resolved_at), asked_at = coalesce(excluded.asked_at, s.asked_at),
      certificate_not_after = greatest(s.certificate_not_after, excluded.certificate_not_after), last_seen_at = now()
    RETURNING xmax = 0 AS is_new`;
  if (unresolved.length > 0) {
    await tx.$executeRaw`UPDATE subdomains SET addresses = '{}', asked_at = now()
      WHERE organization_id = ${organizationId}::uuid AND domain_id = ${domainId}::uuid AND name = ANY (${unresolved})`;
  }
  return written.some(({ is_new }) => is_new);
}

/**
 * The keys of rows for issuances, in hexadecimal. Two certificates with the same issuer, validity and names are two if their public
 * keys are known to differ: the second has a key of its own. One without a known public key is the first.
 */
async function keysOf(
  tx: Transaction,
  { organizationId, domainId }: Pick<Run, "organizationId" | "domainId">,
  domain: string,
  issuances: readonly FoundIssuance[],
): Promise<string[]> {
  const keys = issuances.map((issuance) => keyOf(domain, issuance));
  const known = await tx.issuance.findMany({
    where: { organizationId, domainId, key: { in: keys.map((key) => new Uint8Array(key)) } },
    select: { key: true, publicKeySha256: true },
  });
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  const owners = new Map(known.map(({ key, publicKeySha256 }) => [hex(key), publicKeySha256 && hex(publicKeySha256)]));
  return issuances.map(({ publicKeySha256 }, at) => {
    const key = hex(keys[at] ?? Buffer.alloc(0));
    const owner = owners.get(key) ?? publicKeySha256;
    owners.set(key, owner);
    if (publicKeySha256 === null || publicKeySha256 === owner) return key;
    return createHash("sha256").update(`${key} ${publicKeySha256}`).digest("hex");
  });
}

/**
 * Returns whether any certificate is new and from an unexpected issuer. What accounts for a known one is judged again when its key
 * becomes known, except by its issuer.
 */
async function writeIssuances(
  tx: Transaction,
  { organizationId, domainId, source }: Run,
  domain: string,
  expected: readonly string[],
  issuances: readonly FoundIssuance[],
): Promise<boolean> {
  const keys = await keysOf(tx, { organizationId, domainId }, domain, issuances);
  const rows = new Map(
    issuances.map((issuance, at) => {
      const key = keys[at] ?? "";
      const isUnexpected = expected.length > 0 && !isExpectedIssuer(issuance.issuer, expected);
      const { names, issuer, notBefore, notAfter, revoked, publicKeySha256: public_key } = issuance;
      const row = {
        id: newId(),
        key,
        names,
        issuer: visible(issuer),
        revoked,
        public_key,
        is_unexpected: isUnexpected,
      };
      return [key, { ...row, not_before: notBefore, not_after: notAfter }] as const;
    }),
  );
  const written = await tx.$queryRaw<{ is_news: boolean }[]>`
    INSERT INTO issuances AS i (organization_id, id, domain_id, key, names, issuer, not_before, not_after, revoked, sources,
      first_seen_at, unexpected_since, public_key_sha256)
    SELECT ${organizationId}::uuid, id, ${domainId}::uuid, decode(key, 'hex'), names, issuer, not_before, not_after, revoked,
      ARRAY[${source}], now(), CASE WHEN is_unexpected THEN now() END, decode(public_key, 'hex')
    FROM jsonb_to_recordset(${JSON.stringify([...rows.values()])}::jsonb)
      AS found (id uuid, key text, names text[], issuer text, not_before timestamptz, not_after timestamptz, revoked boolean,
        is_unexpected boolean, public_key text)
    ORDER BY id
    ON CONFLICT (organization_id, domain_id, key) DO UPDATE SET
      sources = CASE WHEN ${source} = ANY (i.sources) THEN i.sources ELSE i.sources || excluded.sources END,
      names = CASE WHEN cardinality(excluded.names) > cardinality(i.names) THEN excluded.names ELSE i.names END,
      revoked = coalesce(excluded.revoked, i.revoked),
      public_key_sha256 = coalesce(excluded.public_key_sha256, i.public_key_sha256),
      (authorized_by, authorized_name) = (
        SELECT CASE WHEN stays THEN i.authorized_by ELSE (SELECT 'key' FROM certificates c WHERE c.organization_id = i.organization_id
            AND c.public_key_sha256 = excluded.public_key_sha256 AND ${Prisma.raw(IS_HANDED_IN)} LIMIT 1) END,
          CASE WHEN stays THEN i.authorized_name END
        FROM (SELECT excluded.public_key_sha256 IS NULL OR i.public_key_sha256 IS NOT NULL
          OR i.authorized_by IS DISTINCT FROM 'certificate' AS stays) AS judged)
    RETURNING xmax = 0 AND unexpected_since IS NOT NULL AND not_after > now() AS is_news`;
  return written.some(({ is_news }) => is_news);
}
