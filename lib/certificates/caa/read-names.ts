import type pg from "pg";
import { parse } from "tldts";
import { caaDomainsOf } from "@/lib/certificates/caa/issuers";
import type { CaaReading } from "@/lib/certificates/issuance/caa-records";
import type { KnownCaa } from "@/lib/certificates/issuance/judge-caa";
import type { Certificate } from "@/lib/certificates/x509/x509";
import { newId } from "@/lib/ids";

/** Maximum number of names of a certificate whose records are read. */
const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 253;
/** Each label needs two queries. */
const MAX_LABELS = 12;
const HOST_NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/;

/** The public names of a certificate, without wildcards: other names have no CAA records. Skips names with very many labels. */
export function publicNamesOf(sans: readonly string[]): string[] {
  const names = sans.map((name) => name.toLowerCase().replace(/^\*\./, ""));
  const isPublic = (name: string) => {
    if (name.length > MAX_NAME_LENGTH || name.split(".").length > MAX_LABELS || !HOST_NAME.test(name)) return false;
    const { isIcann, domain } = parse(name, { extractHostname: false });
    return isIcann === true && domain !== null;
  };
  return [...new Set(names)].filter(isPublic).slice(0, MAX_NAMES);
}

/** A certificate that an endpoint serves, and the accounts that its owner expects. */
interface ServedLeaf {
  organizationId: string;
  leaf: Certificate;
  expectedAccounts: readonly string[];
}

interface Row {
  at: number;
  name: string;
  is_listed: boolean;
  reading: CaaReading | null;
  before: CaaReading | null;
  changed_at: Date | null;
}

interface Wanted {
  at: number;
  organization_id: string;
  name: string;
}

/** Registers these names for regular reading. */
async function add(client: pg.ClientBase, wanted: readonly Wanted[]): Promise<void> {
  if (wanted.length === 0) return;
  await client.query(
    `INSERT INTO certificate_names (organization_id, id, name, next_check_at)
     SELECT DISTINCT ON (organization_id, name) organization_id, id, name, now()
     FROM jsonb_to_recordset($1) AS new (organization_id uuid, id uuid, name text) ORDER BY organization_id, name
     ON CONFLICT (organization_id, name) DO NOTHING`,
    [JSON.stringify(wanted.map((each) => ({ ...each, id: newId() })))],
  );
}

/** For each certificate, what is known of who may issue for its names. Names that were not read yet are registered for reading. */
export async function readNames(client: pg.ClientBase, served: readonly ServedLeaf[]): Promise<(KnownCaa | null)[]> {
  const wanted = served.flatMap(({ organizationId: organization_id, leaf }, at): Wanted[] => {
    const names = leaf.isCa ? [] : leaf.sans.flatMap(({ type, value }) => (type === "dns" ? [value] : []));
    return publicNamesOf(names).map((name) => ({ at, organization_id, name }));
  });
  if (wanted.length === 0) return served.map(() => null);
  const { rows } = await client.query<Row>(
    `SELECT wanted.at, wanted.name, n.id IS NOT NULL AS is_listed, n.reading, n.before, n.changed_at
     FROM jsonb_to_recordset($1) AS wanted (at integer, organization_id uuid, name text)
     LEFT JOIN certificate_names n ON n.organization_id = wanted.organization_id AND n.name = wanted.name
     ORDER BY wanted.at, wanted.name`,
    [JSON.stringify(wanted)],
  );
  const isListed = new Set(rows.flatMap(({ at, name, is_listed }) => (is_listed ? [`${at} ${name}`] : [])));
  await add(
    client,
    wanted.filter(({ at, name }) => !isListed.has(`${at} ${name}`)),
  );
  return served.map(({ leaf, expectedAccounts }, index) => {
    const names = rows.flatMap(({ at, name, reading, before, changed_at }) =>
      at === index && reading !== null ? [{ name, reading, before, changedAt: changed_at }] : [],
    );
    return { sha256: leaf.sha256, domains: caaDomainsOf(leaf.issuer), names, expectedAccounts };
  });
}
