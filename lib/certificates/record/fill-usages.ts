import { MalformedCertificate, parseCertificate } from "@/lib/certificates/x509/x509";
import { pool } from "@/lib/db/app";
import { inSteps } from "@/lib/db/in-steps";
import { logFailure } from "@/lib/db/outage-log";

/** Parsing this many takes a fraction of a second, in which the process does nothing else. */
const MAX_STEP = 200;

interface Unread {
  id: string;
  der: Buffer;
}

/** A certificate that can no longer be parsed has no known limits. */
function usagesOf({ id, der }: Unread) {
  try {
    const { keyUsages, extendedKeyUsages } = parseCertificate(der).usage;
    return { id, key_usages: keyUsages ?? [], extended_key_usages: extendedKeyUsages ?? [] };
  } catch (error) {
    if (!(error instanceof MalformedCertificate)) throw error;
    return { id, key_usages: [], extended_key_usages: [] };
  }
}

async function fillSome(organizationId: string, size: number): Promise<boolean> {
  const { rows } = await pool().query<Unread>(
    "SELECT id, der FROM certificates WHERE organization_id = $1 AND NOT is_usage_known ORDER BY id LIMIT $2",
    [organizationId, size],
  );
  if (rows.length === 0) return false;
  const { rowCount } = await pool().query(
    `UPDATE certificates c
     SET key_usages = new.key_usages, extended_key_usages = new.extended_key_usages, is_usage_known = true
     FROM jsonb_to_recordset($2) AS new (id uuid, key_usages text[], extended_key_usages text[])
     WHERE c.organization_id = $1 AND c.id = new.id AND c.id = ANY (ARRAY(
       SELECT id FROM certificates WHERE organization_id = $1 AND id = ANY ($3::uuid[]) ORDER BY id FOR UPDATE SKIP LOCKED))`,
    [organizationId, JSON.stringify(rows.map(usagesOf)), rows.map(({ id }) => id)],
  );
  return rows.length === size && rowCount !== 0;
}

/** Reads the usages of certificates that were recorded before there were columns for them. Resumes where it stopped. */
export async function fillUsages(signal: AbortSignal): Promise<void> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT id FROM organizations o
     WHERE EXISTS (SELECT FROM certificates WHERE organization_id = o.id AND NOT is_usage_known)`,
  );
  for (const { id } of rows) {
    try {
      await inSteps(
        (size) => fillSome(id, Math.min(size, MAX_STEP)),
        () => signal.aborted,
      );
    } catch (error) {
      logFailure("the usages of certificates could not be read; they will be retried", error, { organization_id: id });
    }
  }
}
