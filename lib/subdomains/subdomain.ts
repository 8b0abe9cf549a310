import { db } from "@/lib/db/app";
import { Prisma } from "@/lib/db/generated/app/client";
import type { Direction } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { nameForms } from "@/lib/network/names/name-forms";
import type { Subdomain, SubdomainState, subdomainSorts } from "@/lib/subdomains/contract";
import type { SourceName } from "@/lib/subdomains/domain-contract";

interface Row {
  id: string;
  name: string;
  domain_id: string;
  domain_name: string;
  wildcard: boolean;
  sources: string[];
  addresses: string[];
  resolved_at: Date | null;
  certificate_not_after: Date | null;
  first_seen_at: Date;
  last_seen_at: Date;
  ignored_at: Date | null;
  endpoint_id: string | null;
}

/** Whether everything known of the row `s` has expired. */
const EXPIRED_ONLY = Prisma.sql`(s.addresses = '{}' AND s.certificate_not_after IS NOT NULL AND s.certificate_not_after < now())`;
/** The oldest endpoint for the host of the row `s`, the only source of whether a name is monitored. */
const ENDPOINT = Prisma.sql`(SELECT e.id FROM certificate_endpoints e
  WHERE e.organization_id = s.organization_id AND e.host = s.name ORDER BY e.id LIMIT 1)`;
const IS_MONITORED = Prisma.sql`EXISTS (SELECT FROM certificate_endpoints e
  WHERE e.organization_id = s.organization_id AND e.host = s.name)`;

export interface Filters {
  domain_id?: string | undefined;
  state?: SubdomainState | undefined;
  source?: SourceName | undefined;
  wildcard?: "true" | "false" | undefined;
  expired_only?: "true" | "false" | undefined;
  q?: string | undefined;
}

const STATE: Record<SubdomainState, Prisma.Sql> = {
  monitored: IS_MONITORED,
  ignored: Prisma.sql`(s.ignored_at IS NOT NULL AND NOT ${IS_MONITORED})`,
  new: Prisma.sql`(s.ignored_at IS NULL AND NOT ${IS_MONITORED})`,
};

function conditions({ domain_id, state, source, wildcard, expired_only, q }: Filters): Prisma.Sql[] {
  const all: Prisma.Sql[] = [];
  if (domain_id !== undefined) all.push(Prisma.sql`s.domain_id = ${domain_id}::uuid`);
  if (state !== undefined) all.push(STATE[state]);
  if (source !== undefined) all.push(Prisma.sql`${source} = ANY (s.sources)`);
  if (wildcard !== undefined) all.push(Prisma.sql`s.wildcard = ${wildcard === "true"}`);
  if (expired_only !== undefined) all.push(Prisma.sql`${EXPIRED_ONLY} = ${expired_only === "true"}`);
  if (q !== undefined) {
    const within = nameForms(q).map((form) => Prisma.sql`position(lower(${form}) IN s.name) > 0`);
    all.push(Prisma.sql`(${Prisma.join(within, " OR ")})`);
  }
  return all;
}

function toSubdomain(row: Row): Subdomain {
  const isExpired = row.certificate_not_after !== null && row.certificate_not_after.getTime() < Date.now();
  return {
    id: row.id,
    name: row.name,
    domain: { id: row.domain_id, name: row.domain_name },
    state: row.endpoint_id !== null ? "monitored" : row.ignored_at !== null ? "ignored" : "new",
    wildcard: row.wildcard,
    expired_only: row.addresses.length === 0 && isExpired,
    sources: row.sources as SourceName[],
    addresses: row.addresses,
    resolved_at: row.resolved_at?.toISOString() ?? null,
    certificate_not_after: row.certificate_not_after?.toISOString() ?? null,
    endpoint_id: row.endpoint_id,
    ignored_at: row.ignored_at?.toISOString() ?? null,
    first_seen_at: row.first_seen_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
  };
}

interface Page {
  sort: (typeof subdomainSorts)[number];
  order: Direction;
  /** Id and, where names are sorted by, name of the last one on the page before; null for the first page. */
  after: readonly string[] | null;
  limit: number;
}

/** The organization's names that match the filters, in this order, up to `limit`. An index serves both orders from either end. */
export async function readSubdomains(
  organizationId: string,
  filters: Filters,
  { sort, order, after, limit }: Page,
): Promise<Subdomain[]> {
  const [id, name] = after ?? [];
  const beyond = order === "asc" ? Prisma.sql`>` : Prisma.sql`<`;
  const direction = order === "asc" ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  const isByName = sort === "name";
  const rest = isByName
    ? Prisma.sql`(natural_key(s.name), s.id) ${beyond} (natural_key(${name}), ${id}::uuid)`
    : Prisma.sql`s.id ${beyond} ${id}::uuid`;
  const by = isByName ? Prisma.sql`natural_key(s.name) ${direction}, s.id ${direction}` : Prisma.sql`s.id ${direction}`;
  return select(organizationId, [...(after === null ? [] : [rest]), ...conditions(filters)], limit, by);
}

/** One name of the organization. Throws 404. */
export async function readSubdomain(organizationId: string, id: string): Promise<Subdomain> {
  const [found] = await select(organizationId, [Prisma.sql`s.id = ${id}::uuid`], 1);
  if (found === undefined) throw notFound();
  return found;
}

/** The discovered name of the organization that is exactly `name`; null if there is none. */
export async function findSubdomain(organizationId: string, name: string): Promise<Subdomain | null> {
  const [found] = await select(organizationId, [Prisma.sql`s.name = ${name}`], 1);
  return found ?? null;
}

async function select(
  organizationId: string,
  where: readonly Prisma.Sql[],
  limit: number,
  by = Prisma.sql`s.id`,
): Promise<Subdomain[]> {
  const own = Prisma.sql`s.organization_id = ${organizationId}::uuid`;
  const rows = await db().$queryRaw<Row[]>`
    SELECT s.id, s.name, s.domain_id, d.name AS domain_name, s.wildcard, s.sources, s.addresses, s.resolved_at,
      s.certificate_not_after, s.first_seen_at, s.last_seen_at, s.ignored_at, ${ENDPOINT} AS endpoint_id
    FROM subdomains s JOIN domains d ON d.organization_id = s.organization_id AND d.id = s.domain_id
    WHERE ${Prisma.join([own, ...where], " AND ")}
    ORDER BY ${by} LIMIT ${limit}`;
  return rows.map(toSubdomain);
}
