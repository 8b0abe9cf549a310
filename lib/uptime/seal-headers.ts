import { pool } from "@/lib/db/app";
import { inSteps } from "@/lib/db/in-steps";
import { logFailure } from "@/lib/db/outage-log";
import { BEFORE_ANY_ID } from "@/lib/ids";
import { log } from "@/lib/log";
import { openSecrets, type SecretColumns, secretColumns } from "@/lib/uptime/secrets";

/** Workers of the previous release read headers that are not encrypted; so long after the migration, there are none. */
const SINCE_MIGRATION = "1 hour";
const MIGRATION = "20261123075500_monitor_secrets";
const MAX_STEP = 200;

/** The new columns of a monitor, and the old ones by which a change meanwhile is noticed; bytes in hexadecimal. */
function sealedRow(row: SecretColumns) {
  const { headerNames, secrets } = secretColumns(row, openSecrets(row));
  const hex = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString("hex");
  return {
    id: row.id,
    names: headerNames,
    sealed: hex(secrets),
    old_headers: row.headers,
    old_sealed: hex(row.secrets),
  };
}

/** The same; null if the row's secrets cannot be opened, which must not keep other monitors' headers from being encrypted. */
function sealedRowOrNull(row: SecretColumns) {
  try {
    return sealedRow(row);
  } catch {
    log.warn({ monitor_id: row.id }, "headers of a monitor cannot be encrypted: its secrets cannot be decrypted");
    return null;
  }
}

/** Encrypts the headers of up to `size` monitors whose ids follow `after`. Returns the last id; null if there are no more. */
async function sealSome(organizationId: string, after: string, size: number): Promise<string | null> {
  const { rows } = await pool().query<SecretColumns>(
    `SELECT organization_id AS "organizationId", id, headers, secrets FROM uptime_monitors
     WHERE organization_id = $1 AND headers <> '{}' AND id > $2 ORDER BY id LIMIT $3`,
    [organizationId, after, size],
  );
  const sealed = rows.map(sealedRowOrNull).filter((row) => row !== null);
  const last = rows.length === size ? (rows.at(-1)?.id ?? null) : null;
  if (sealed.length === 0) return last;
  await pool().query(
    `UPDATE uptime_monitors m SET headers = '{}', header_names = new.names, secrets = decode(new.sealed, 'hex')
     FROM jsonb_to_recordset($2) AS new (id uuid, names text[], sealed text, old_headers jsonb, old_sealed text)
     WHERE m.organization_id = $1 AND m.id = new.id AND m.headers = new.old_headers
       AND m.secrets IS NOT DISTINCT FROM decode(new.old_sealed, 'hex') AND m.id = ANY (ARRAY(
         SELECT id FROM uptime_monitors WHERE organization_id = $1 AND id = ANY ($3::uuid[]) ORDER BY id FOR UPDATE SKIP LOCKED))`,
    [organizationId, JSON.stringify(sealed), sealed.map(({ id }) => id)],
  );
  return last;
}

async function sealAll(organizationId: string, signal: AbortSignal): Promise<void> {
  let last: string | null = BEFORE_ANY_ID;
  await inSteps(
    async (size) => {
      last = await sealSome(organizationId, last ?? BEFORE_ANY_ID, Math.min(size, MAX_STEP));
      return last !== null;
    },
    () => signal.aborted,
  );
}

/** Encrypts the headers that monitors of an earlier release have. Resumes where it stopped. */
export async function sealHeaders(signal: AbortSignal): Promise<void> {
  const { rows: migrated } = await pool().query(
    "SELECT FROM _prisma_migrations WHERE migration_name = $1 AND finished_at < now() - $2::interval",
    [MIGRATION, SINCE_MIGRATION],
  );
  if (migrated.length === 0) return;
  const { rows } = await pool().query<{ id: string }>(
    `SELECT id FROM organizations o
     WHERE EXISTS (SELECT FROM uptime_monitors WHERE organization_id = o.id AND headers <> '{}')`,
  );
  for (const { id } of rows) {
    try {
      await sealAll(id, signal);
    } catch (error) {
      logFailure("headers of monitors could not be encrypted; they will be retried", error, { organization_id: id });
    }
  }
}
