import type pg from "pg";
import { formatVkey, verifierKey } from "@/lib/sealed-log/vkey";

/** The organization id of the installation's log, because every row needs one: the Max UUID (RFC 9562, section 5.10). */
export const INSTALLATION_LOG = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** A key of a sealed log: it signs the checkpoints from `since` entries on, up to the next key. */
export interface LogKeyPeriod {
  since: number;
  public_key: Buffer;
  /** The first checkpoint of this key, which the previous key signed too; null for the first key of an epoch. */
  note: string | null;
}

/** The newest key of the log `l` (audit_seal_logs), as SQL; null if none is known. */
export const NEWEST_KEY = `(
  SELECT public_key FROM audit_seal_keys k WHERE k.organization_id = l.organization_id AND k.epoch = l.epoch ORDER BY since_size DESC LIMIT 1
)`;

/**
 * The keys of a log in an epoch, oldest first; `log` is an organization's id or INSTALLATION_LOG. Empty until the installation has
 * a key.
 */
export async function readKeyChain(
  database: Pick<pg.ClientBase, "query">,
  log: string,
  epoch: number,
): Promise<LogKeyPeriod[]> {
  // Logs that an earlier release signed first, before keys could change, have the installation's key.
  const { rows } = await database.query<LogKeyPeriod>(
    `WITH known AS (SELECT since_size, public_key, checkpoint FROM audit_seal_keys WHERE organization_id = $1 AND epoch = $2)
     SELECT since_size::float8 AS since, public_key, checkpoint AS note FROM known
     UNION ALL SELECT 0, public_key, NULL FROM audit_seal_installation WHERE public_key IS NOT NULL AND NOT EXISTS (SELECT FROM known)
     ORDER BY since`,
    [log, epoch],
  );
  return rows;
}

/** The key that signs a log's checkpoint of `size` entries; null if none is known. */
export function keyAt(chain: readonly LogKeyPeriod[], size: number): Buffer | null {
  return chain.findLast(({ since }) => since <= size)?.public_key ?? null;
}

/** The changes of a log's key up to `size` entries, oldest first, as bundles have them. */
export function keyChanges(
  origin: string,
  chain: readonly LogKeyPeriod[],
  size: number,
): { vkey: string; note: string }[] {
  return chain.flatMap(({ since, public_key, note }) => {
    return note === null || since > size ? [] : { vkey: formatVkey(verifierKey(origin, public_key)), note };
  });
}
