import { readTrust } from "@/lib/certificates/record/endpoint-to-check";
import { type Certificate, parseReadable } from "@/lib/certificates/x509/x509";
import { pool } from "@/lib/db/app";

/** Maximum number of certificates of one name, and of trust stores, to read. */
const MAX_OF_NAME = 5;
const MAX_STORES = 20;

/** The organization's authorities with this name that some endpoint served or somebody submitted, longest valid first. */
async function readInventory(organizationId: string, name: string): Promise<Certificate[]> {
  const { rows } = await pool().query<{ der: Buffer }>(
    `SELECT der FROM certificates WHERE organization_id = $1 AND is_ca
       AND hashtextextended(subject, 0) = hashtextextended($2, 0) AND subject = $2
     ORDER BY not_after DESC LIMIT ${MAX_OF_NAME}`,
    [organizationId, name],
  );
  return parseReadable(rows.map(({ der }) => der));
}

/** Those in its trust stores, whichever the endpoint uses: these issuers are known, not trusted. */
async function readFromTrustStores(organizationId: string, subject: Certificate): Promise<Certificate[]> {
  const { rows } = await pool().query<{ id: string; updatedAt: Date }>(
    `SELECT id, updated_at AS "updatedAt" FROM certificate_trust_stores WHERE organization_id = $1
     ORDER BY id DESC LIMIT ${MAX_STORES}`,
    [organizationId],
  );
  const candidates = async ({ id, updatedAt }: (typeof rows)[number]) =>
    (await readTrust(organizationId, id, updatedAt)).candidates(subject);
  return (await Promise.all(rows.map(candidates))).flat().slice(0, MAX_OF_NAME);
}

/**
 * Certificates that the organization already knows and that have the name of this one's issuer; the caller must verify the
 * signature. Leaves out what can no longer be parsed. Rejects without a database.
 */
export async function readKnownIssuers(organizationId: string, subject: Certificate): Promise<Certificate[]> {
  const [seen, trusted] = await Promise.all([
    readInventory(organizationId, subject.issuer),
    readFromTrustStores(organizationId, subject),
  ]);
  return [...seen, ...trusted];
}
