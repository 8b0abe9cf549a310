import { nameTexts } from "@/lib/certificates/judge/judge-renewal";
import type { Certificate } from "@/lib/certificates/x509/x509";
import { newId } from "@/lib/ids";

/** A certificate that an organization encountered. */
export interface Encountered {
  organizationId: string;
  certificate: Certificate;
  /** Served or submitted as a leaf rather than as an issuer. */
  isOwn: boolean;
  at: Date;
}

/** Runs a statement within the caller's transaction. */
export type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

/** The id of a certificate in its organization. Throws for a certificate that was not recorded. */
export type IdOf = (organizationId: string, certificate: Certificate) => string;

interface Known {
  id: string;
  served_first: boolean;
}

function keyOf(organizationId: string, sha256: string): string {
  return `${organizationId} ${sha256}`;
}

/** Maximum number of characters of a stored serial number, which is indexed. RFC 5280 permits 40, and a search has at most 200. */
const MAX_SERIAL_LENGTH = 1_000;

function toRow({ organizationId, certificate, isOwn, at }: Encountered) {
  return {
    organization_id: organizationId,
    id: newId(),
    sha256: certificate.sha256,
    der: certificate.x509.raw.toString("base64"),
    subject: certificate.subject,
    common_name: certificate.commonName,
    issuer: certificate.issuer,
    serial_number: certificate.serial.slice(0, MAX_SERIAL_LENGTH),
    sans: nameTexts(certificate),
    not_before: certificate.notBefore,
    not_after: certificate.notAfter,
    key_type: certificate.keyType,
    key_bits: certificate.keyBits,
    signature_algorithm: certificate.signature.name,
    is_ca: certificate.isCa,
    served_first: isOwn,
    first_seen_at: at,
    public_key_sha256: certificate.publicKeySha256,
    key_usages: certificate.usage.keyUsages ?? [],
    extended_key_usages: certificate.usage.extendedKeyUsages ?? [],
  };
}

type Row = ReturnType<typeof toRow>;
type Wanted = [key: string, encountered: Encountered];

async function find(query: Query, wanted: readonly Wanted[]): Promise<Map<string, Known>> {
  const rows = await query<Known & { organization_id: string; sha256: string }>(
    `SELECT c.organization_id, c.id, c.served_first, wanted.sha256
     FROM unnest($1::uuid[], $2::text[]) AS wanted (organization_id, sha256)
     JOIN certificates c ON c.organization_id = wanted.organization_id AND c.sha256 = decode(wanted.sha256, 'hex')`,
    [wanted.map(([, { organizationId }]) => organizationId), wanted.map(([, { certificate }]) => certificate.sha256)],
  );
  return new Map(rows.map((row) => [keyOf(row.organization_id, row.sha256), row]));
}

async function insert(query: Query, rows: readonly Row[]): Promise<void> {
  await query(
    `INSERT INTO certificates (organization_id, id, sha256, der, subject, common_name, issuer, serial_number, sans,
       not_before, not_after, key_type, key_bits, signature_algorithm, is_ca, served_first, first_seen_at, public_key_sha256,
       key_usages, extended_key_usages, is_usage_known)
     SELECT organization_id, id, decode(sha256, 'hex'), decode(der, 'base64'), subject, common_name, issuer, serial_number, sans,
       not_before, not_after, key_type, key_bits, signature_algorithm, is_ca, served_first, first_seen_at,
       decode(public_key_sha256, 'hex'), key_usages, extended_key_usages, true
     FROM jsonb_to_recordset($1) AS made (organization_id uuid, id uuid, sha256 text, der text, subject text, common_name text,
       issuer text, serial_number text, sans text[], not_before timestamptz, not_after timestamptz, key_type text, key_bits integer,
       signature_algorithm text, is_ca boolean, served_first boolean, first_seen_at timestamptz,
       public_key_sha256 text, key_usages text[], extended_key_usages text[])
     ON CONFLICT (organization_id, sha256) DO NOTHING`,
    [JSON.stringify(rows)],
  );
}

/** Inserts certificates that are not known yet. */
export async function recordCertificates(query: Query, all: readonly Encountered[]): Promise<IdOf> {
  const byKey = new Map<string, Encountered>();
  for (const encountered of all) {
    const key = keyOf(encountered.organizationId, encountered.certificate.sha256);
    const before = byKey.get(key);
    if (before === undefined || (encountered.isOwn && !before.isOwn)) byKey.set(key, encountered);
  }
  // Always in the same order, so that two writers of the same new certificates do not deadlock.
  const wanted: Wanted[] = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1));
  let known = await find(query, wanted);
  const missing = wanted.filter(([key]) => !known.has(key));
  if (missing.length > 0) {
    await insert(
      query,
      missing.map(([, encountered]) => toRow(encountered)),
    );
    known = new Map([...known, ...(await find(query, missing))]);
  }
  const nowOwn = wanted.filter(([key, { isOwn }]) => isOwn && known.get(key)?.served_first === false);
  if (nowOwn.length > 0) {
    await query(
      `UPDATE certificates c SET served_first = true FROM unnest($1::uuid[], $2::uuid[]) AS own (organization_id, id)
       WHERE c.organization_id = own.organization_id AND c.id = own.id`,
      [nowOwn.map(([, { organizationId }]) => organizationId), nowOwn.map(([key]) => known.get(key)?.id)],
    );
  }
  return (organizationId, certificate) => {
    const row = known.get(keyOf(organizationId, certificate.sha256));
    if (row === undefined) throw new Error("a certificate was not recorded");
    return row.id;
  };
}
