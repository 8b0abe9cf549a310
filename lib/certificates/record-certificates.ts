import type pg from "pg";
import { type Certificate, parseCertificate } from "@/lib/certificates/x509";
import { newId } from "@/lib/ids";

/** A served set of one organization. */
export interface ServedSet {
  organizationId: string;
  chain: readonly [Uint8Array, ...Uint8Array[]];
  observedAt: Date;
}

interface Known {
  id: string;
  served_first: boolean;
}

function keyOf(organizationId: string, sha256: string): string {
  return `${organizationId} ${sha256}`;
}

function toRow(certificate: Certificate, { organizationId, observedAt }: ServedSet) {
  const { sans, signature, x509 } = certificate;
  return {
    organization_id: organizationId,
    id: newId(),
    sha256: certificate.sha256,
    der: x509.raw.toString("base64"),
    subject: certificate.subject,
    common_name: certificate.commonName,
    issuer: certificate.issuer,
    serial_number: certificate.serial,
    sans: sans.map(({ type, value }) => (type === "dns" || type === "ip" ? value : `${type}:${value}`)),
    not_before: certificate.notBefore,
    not_after: certificate.notAfter,
    key_type: certificate.keyType,
    key_bits: certificate.keyBits,
    signature_algorithm: signature.name,
    is_ca: certificate.isCa,
    served_first: false,
    first_seen_at: observedAt,
  };
}

type Row = ReturnType<typeof toRow>;

async function find(client: pg.ClientBase, rows: readonly Row[]): Promise<Map<string, Known>> {
  const wanted = rows.map(({ organization_id, sha256 }) => ({ organization_id, sha256 }));
  const found = await client.query<Known & { organization_id: string; sha256: string }>(
    `SELECT c.organization_id, c.id, c.served_first, wanted.sha256
     FROM jsonb_to_recordset($1) AS wanted (organization_id uuid, sha256 text)
     JOIN certificates c ON c.organization_id = wanted.organization_id AND c.sha256 = decode(wanted.sha256, 'hex')`,
    [JSON.stringify(wanted)],
  );
  return new Map(found.rows.map((row) => [keyOf(row.organization_id, row.sha256), row]));
}

async function insert(client: pg.ClientBase, rows: readonly Row[]): Promise<void> {
  await client.query(
    `INSERT INTO certificates (organization_id, id, sha256, der, subject, common_name, issuer, serial_number, sans,
       not_before, not_after, key_type, key_bits, signature_algorithm, is_ca, served_first, first_seen_at)
     SELECT organization_id, id, decode(sha256, 'hex'), decode(der, 'base64'), subject, common_name, issuer, serial_number, sans,
       not_before, not_after, key_type, key_bits, signature_algorithm, is_ca, served_first, first_seen_at
     FROM jsonb_to_recordset($1) AS made (organization_id uuid, id uuid, sha256 text, der text, subject text, common_name text,
       issuer text, serial_number text, sans text[], not_before timestamptz, not_after timestamptz, key_type text, key_bits integer,
       signature_algorithm text, is_ca boolean, served_first boolean, first_seen_at timestamptz)
     ON CONFLICT (organization_id, sha256) DO NOTHING`,
    [JSON.stringify(rows)],
  );
}

/** Makes sure that every certificate of the sets is known. The answer gives the ids of each set, in served order. */
export async function recordCertificates(
  client: pg.ClientBase,
  sets: readonly ServedSet[],
): Promise<Map<ServedSet, string[]>> {
  const rows = new Map<string, Row>();
  for (const set of sets) {
    for (const [position, der] of set.chain.entries()) {
      const certificate = parseCertificate(der);
      const key = keyOf(set.organizationId, certificate.sha256);
      const row = rows.get(key) ?? toRow(certificate, set);
      rows.set(key, { ...row, served_first: row.served_first || position === 0 });
    }
  }
  // In one order everywhere, so that two writers of the same new certificates wait instead of deadlocking.
  const wanted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  let known = await find(client, wanted);
  const missing = wanted.filter(({ organization_id, sha256 }) => !known.has(keyOf(organization_id, sha256)));
  if (missing.length > 0) {
    await insert(client, missing);
    known = await find(client, wanted);
  }
  const nowFirst = wanted.filter(
    (row) => row.served_first && known.get(keyOf(row.organization_id, row.sha256))?.served_first === false,
  );
  for (const { organization_id, sha256 } of nowFirst) {
    const id = known.get(keyOf(organization_id, sha256))?.id;
    await client.query("UPDATE certificates SET served_first = true WHERE organization_id = $1 AND id = $2", [
      organization_id,
      id,
    ]);
  }
  const idOf = (set: ServedSet, der: Uint8Array) =>
    known.get(keyOf(set.organizationId, parseCertificate(der).sha256))?.id;
  return new Map(sets.map((set) => [set, set.chain.flatMap((der) => idOf(set, der) ?? [])]));
}
