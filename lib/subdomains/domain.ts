import type { RecordedFields } from "@/lib/audit-logs/write/changes";
import { db, type Transaction } from "@/lib/db/app";
import { type Domain as DomainRow, Prisma, type DomainSource as SourceRow } from "@/lib/db/generated/app/client";
import { notFound } from "@/lib/http/errors";
import { IS_UNAUTHORIZED } from "@/lib/subdomains/accounting/unauthorized";
import { type Domain, type DomainSource, type SourceName, sourceNames } from "@/lib/subdomains/domain-contract";
import { challengeName } from "@/lib/subdomains/proof";
import { readHolds } from "@/lib/subdomains/sources/holds";

type Row = DomainRow & { sources: SourceRow[] };
type Counts = Pick<Domain, "names" | "unexpected_issuances" | "unauthorized_issuances">;

/** The relations of a domain's row, for Prisma. */
export const domainRelations = { sources: true } as const;

const iso = (date: Date | null) => date?.toISOString() ?? null;

const later = (one: Date | null, other: Date | null) => (one !== null && (other === null || one > other) ? one : other);

/** `hold` is until when the source is held for the whole installation; null if it is not. */
function toSource(row: SourceRow, hold: Date | null): DomainSource {
  const now = Date.now();
  const heldUntil = later(row.heldUntil, hold);
  const isRunning = row.leasedUntil !== null && row.leasedUntil.getTime() > now;
  const ended = row.lastFinishedAt === null ? "never" : row.error === null ? "ok" : "failing";
  return {
    name: row.source as SourceName,
    state: isRunning ? "running" : ended,
    error: row.error,
    names: row.names,
    cursor: row.place,
    last_started_at: iso(row.lastStartedAt),
    last_success_at: iso(row.lastSuccessAt),
    next_run_at: iso(row.nextRunAt && later(row.nextRunAt, hold)),
    held_until: heldUntil !== null && heldUntil.getTime() > now ? heldUntil.toISOString() : null,
  };
}

const ORDER: readonly string[] = sourceNames;

function toDomain(row: Row, counts: Counts, holds: ReadonlyMap<string, Date>): Domain {
  return {
    id: row.id,
    name: row.name,
    proof: {
      record_name: challengeName(row.name),
      record_value: row.challenge,
      proven_at: iso(row.provenAt),
      checked_at: iso(row.proofCheckedAt),
      error: row.proofError,
    },
    interval_hours: row.intervalHours,
    expected_issuers: row.expectedIssuers,
    unauthorized_after_hours: row.unauthorizedAfterHours,
    authorized_issuers: row.authorizedIssuers,
    authorized_keys: row.authorizedKeys,
    sources: row.sources
      .map((source) => toSource(source, holds.get(source.source) ?? null))
      .sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name)),
    ...counts,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** The fields of a domain whose changes are recorded. */
export function recordedDomain(
  row: Pick<
    Row,
    "intervalHours" | "expectedIssuers" | "unauthorizedAfterHours" | "authorizedIssuers" | "authorizedKeys"
  >,
  sources: readonly string[],
): RecordedFields {
  const inOrder = sourceNames.filter((name) => sources.includes(name));
  return {
    interval_hours: row.intervalHours,
    expected_issuers: row.expectedIssuers,
    unauthorized_after_hours: row.unauthorizedAfterHours,
    authorized_issuers: row.authorizedIssuers,
    authorized_keys: row.authorizedKeys,
    sources: inOrder,
  };
}

async function countOf(organizationId: string, ids: readonly string[]): Promise<Map<string, Counts>> {
  const rows = await db().$queryRaw<
    { id: string; monitored: number; ignored: number; all: number; unexpected: number; unauthorized: number }[]
  >`
    SELECT wanted.id,
      count(s.id) FILTER (WHERE s.monitored)::integer AS monitored,
      count(s.id) FILTER (WHERE NOT s.monitored AND s.ignored_at IS NOT NULL)::integer AS ignored,
      count(s.id)::integer AS all,
      (SELECT count(*) FROM issuances i WHERE i.organization_id = ${organizationId}::uuid AND i.domain_id = wanted.id
        AND i.unexpected_since IS NOT NULL AND i.not_after > now())::integer AS unexpected,
      (SELECT count(*) FROM issuances i JOIN domains d ON d.organization_id = i.organization_id AND d.id = i.domain_id
        WHERE i.organization_id = ${organizationId}::uuid AND i.domain_id = wanted.id
        AND ${Prisma.raw(IS_UNAUTHORIZED)})::integer AS unauthorized
    FROM unnest(${[...ids]}::uuid[]) AS wanted (id)
    LEFT JOIN LATERAL (
      SELECT s.id, s.ignored_at, EXISTS (SELECT FROM certificate_endpoints e
        WHERE e.organization_id = s.organization_id AND e.host = s.name) AS monitored
      FROM subdomains s WHERE s.organization_id = ${organizationId}::uuid AND s.domain_id = wanted.id
    ) s ON true
    GROUP BY wanted.id`;
  return new Map(
    rows.map(({ id, monitored, ignored, all, unexpected, unauthorized }) => [
      id,
      {
        names: { new: all - monitored - ignored, monitored, ignored },
        unexpected_issuances: unexpected,
        unauthorized_issuances: unauthorized,
      },
    ]),
  );
}

/** Domains as the contract shows them. */
export async function toDomains(organizationId: string, rows: readonly Row[]): Promise<Domain[]> {
  const none: Counts = {
    names: { new: 0, monitored: 0, ignored: 0 },
    unexpected_issuances: 0,
    unauthorized_issuances: 0,
  };
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const [counts, holds] = await Promise.all([countOf(organizationId, ids), readHolds()]);
  return rows.map((row) => toDomain(row, counts.get(row.id) ?? none, holds));
}

/** One domain's row, without counting what was found for it. Throws 404. */
export async function readDomainRow(organizationId: string, id: string): Promise<Row> {
  const row = await db().domain.findUnique({
    where: { organizationId_id: { organizationId, id } },
    include: domainRelations,
  });
  if (row === null) throw notFound();
  return row;
}

/** One domain of the organization. Throws 404. */
export async function readDomain(organizationId: string, id: string): Promise<Domain> {
  const [shown] = await toDomains(organizationId, [await readDomainRow(organizationId, id)]);
  if (shown === undefined) throw notFound();
  return shown;
}

/** One domain's row, locked until the transaction ends. Throws 404. */
export async function lockDomain(tx: Transaction, organizationId: string, id: string): Promise<Row> {
  await tx.$queryRaw`SELECT id FROM domains WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid FOR NO KEY UPDATE`;
  const row = await tx.domain.findUnique({
    where: { organizationId_id: { organizationId, id } },
    include: domainRelations,
  });
  if (row === null) throw notFound();
  return row;
}
