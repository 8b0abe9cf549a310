import type pg from "pg";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { commitEvents } from "@/lib/audit-logs/seal/commit-events";
import { NEWEST_KEY } from "@/lib/audit-logs/seal/key-chain";
import { LONGEST_RETENTION_DAYS, lockLogs, writeSeals } from "@/lib/audit-logs/seal/log-rows";
import { readInstallation } from "@/lib/audit-logs/sign/installation";
import type { SealKeys } from "@/lib/audit-logs/sign/seal-keys";
import { send } from "@/lib/audit-logs/write/append";
import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { logFailure } from "@/lib/db/outage-log";
import { NOBODY } from "@/lib/ids";
import { organizationOrigin } from "@/lib/sealed-log/origin";
import { formatVkey, verifierKey } from "@/lib/sealed-log/vkey";

/** A log whose checkpoints are signed by another key than the present one. */
interface LogToChange {
  organization_id: string;
  refused: boolean;
  /** Whether events from before the sealed log are still being sealed; the change waits for their end. */
  is_importing: boolean;
  public_key: Buffer;
  /** The key that the log's newest event `audit_log.key_rotated` names. */
  next_public_key: Buffer | null;
}

/** The signed logs whose key is not `publicKey` yet, without those of deleted organizations, which are not signed any more. */
export async function logsToChange(publicKey: Buffer): Promise<LogToChange[]> {
  const { rows } = await auditPool().query<LogToChange>(
    `SELECT organization_id, l.refused IS NOT NULL AS refused, import_after IS NOT NULL AS is_importing, key.public_key, next_public_key
     FROM audit_seal_logs l CROSS JOIN audit_seal_installation i
       CROSS JOIN LATERAL (SELECT coalesce(${NEWEST_KEY}, i.public_key) AS public_key) AS key
     WHERE signed_size > 0 AND key.public_key <> $1 ORDER BY organization_id`,
    [publicKey],
  );
  if (rows.length === 0) return rows;
  const { rows: known } = await pool().query<{ id: string }>(
    "SELECT id FROM organizations WHERE id = ANY($1::uuid[])",
    [rows.map(({ organization_id }) => organization_id)],
  );
  const present = new Set([NOBODY, ...known.map(({ id }) => id)]);
  return rows.filter(({ organization_id }) => present.has(organization_id));
}

/** Whether every log is signed by this key, so that the one before is not needed any more. */
export async function isKeyChanged(publicKey: Buffer): Promise<boolean> {
  const { public_key } = await readInstallation();
  return public_key?.equals(publicKey) && (await logsToChange(publicKey)).length === 0;
}

/**
 * Appends the event `audit_log.key_rotated` to each log that the key before signs, once: the first checkpoint that covers it is signed
 * by both keys. A log that fails delays no other. Only the signer may call it.
 */
export async function announceKey(host: string, { current, before }: SealKeys, signal: AbortSignal): Promise<void> {
  if (before === null) return;
  await keepFirstKeys(before.publicKey);
  for (const log of await logsToChange(current.publicKey)) {
    const { organization_id, refused, is_importing, public_key, next_public_key } = log;
    if (signal.aborted) return;
    const isAnnounced = next_public_key?.equals(current.publicKey) ?? false;
    if (refused || is_importing || isAnnounced || !public_key.equals(before.publicKey)) continue;
    try {
      const change = { organization_id, host, from: before.publicKey, to: current.publicKey };
      await withTransaction(auditPool(), (client) => announce(client, change));
    } catch (error) {
      logFailure("the key of a sealed log could not be changed", error, { organization_id });
    }
  }
}

/** Keeps the key of logs that an earlier release signed first, before the installation's changes. */
async function keepFirstKeys(publicKey: Buffer): Promise<void> {
  await auditPool().query(
    `INSERT INTO audit_seal_keys (organization_id, epoch, since_size, public_key)
     SELECT organization_id, l.epoch, 0, public_key FROM audit_seal_logs l CROSS JOIN audit_seal_installation i
     WHERE signed_size > 0 AND public_key = $1
       AND NOT EXISTS (SELECT FROM audit_seal_keys k WHERE k.organization_id = l.organization_id AND k.epoch = l.epoch)`,
    [publicKey],
  );
}

interface Change {
  organization_id: string;
  host: string;
  from: Buffer;
  to: Buffer;
}

async function announce(client: pg.PoolClient, { organization_id, host, from, to }: Change): Promise<void> {
  const logs = await lockLogs(client, [organization_id], "wait");
  const { rows } = await client.query<{ slot: number; epoch: number; retention_days: number }>(
    `SELECT slot::float8 AS slot, epoch, coalesce((
       SELECT retention_days FROM audit_seals s WHERE s.organization_id = $1 ORDER BY s.epoch DESC, first_index DESC LIMIT 1
     ), $2::smallint) AS retention_days FROM audit_seal_logs WHERE organization_id = $1 AND signed_size > 0`,
    [organization_id, LONGEST_RETENTION_DAYS],
  );
  // A new epoch may have begun meanwhile.
  if (rows[0] === undefined) return;
  const { slot, epoch, retention_days } = rows[0];
  const origin = organizationOrigin({ host, organizationId: organization_id, slot, epoch });
  const vkey = (publicKey: Buffer) => formatVkey(verifierKey(origin, publicKey));
  const event = new AuditEventDraft({
    ...{ organization_id, retention_days, action: "audit_log.key_rotated", auth_type: "system" },
    ...{ resource_type: "audit_log", details: { from: vkey(from), to: vkey(to) } },
  });
  event.finish(null);
  await send(client, [{ row: event.row, body: null }]);
  await writeSeals(client, logs, await commitEvents(client, [event.row]));
  await client.query(
    "UPDATE audit_seal_logs SET next_public_key = $2, next_key_from = size WHERE organization_id = $1",
    [organization_id, to],
  );
}
