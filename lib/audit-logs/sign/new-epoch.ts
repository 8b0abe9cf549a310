import type pg from "pg";
import { LONGEST_RETENTION_DAYS, lockLogs } from "@/lib/audit-logs/seal/log-rows";
import { type LogKey, rootAt } from "@/lib/audit-logs/seal/nodes";
import { startEpoch } from "@/lib/audit-logs/seal/start-epoch";
import { redactAgain, removeRedactions } from "@/lib/audit-logs/sign/redact-again";
import { INSTALLATION, readSealedHeads, type SealedHead, startSealedHeads } from "@/lib/audit-logs/sign/sealed-heads";
import { readSignedHead } from "@/lib/audit-logs/sign/signed-head-file";
import { asNextSigner } from "@/lib/audit-logs/sign/signer-lock";
import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { NOBODY } from "@/lib/ids";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { parseNote } from "@/lib/sealed-log/note";
import { organizationOrigin } from "@/lib/sealed-log/origin";
import { EMPTY_ROOT, type Hash } from "@/lib/sealed-log/tree";

/**
 * Closes every sealed log at the newest checkpoint that the audit database still yields, and begins a new epoch in each with an event
 * that says what was signed and what is left. Events beyond that checkpoint are sealed again. Repeated after a failure, it finishes the
 * same epoch. Returns the epoch.
 */
export function beginEpoch(reason: string): Promise<number> {
  return asNextSigner(async () => {
    const { epoch, host } = await nextEpoch();
    for (const organization_id of await logsBefore(epoch)) {
      const [signed] = (await readSealedHeads([organization_id])).values();
      await withTransaction(auditPool(), (client) => reopen(client, { organization_id, epoch, host, reason, signed }));
      await startSealedHeads([organization_id], epoch);
    }
    await startSealedHeads([INSTALLATION], epoch);
    return epoch;
  });
}

/** The epoch of the installation's log, which no log has had before; the present one if an earlier call did not finish it. */
async function nextEpoch(): Promise<{ epoch: number; host: string | null }> {
  const [kept] = (await readSealedHeads([INSTALLATION])).values();
  const file = await readSignedHead();
  const last = Math.max(kept?.epoch ?? 1, file?.epoch ?? 1);
  const { rows } = await auditPool().query<{ epoch: number; host: string | null }>(
    "SELECT epoch, host FROM audit_seal_installation",
  );
  const { epoch, host } = rows[0] ?? { epoch: 1, host: null };
  if (epoch > last && (await logsBefore(epoch)).length > 0) return { epoch, host };
  const next = Math.max(epoch, last) + 1;
  // The backup may know only an earlier key, which no machine has any more: the signer's key is that of the new epoch.
  await auditPool().query(
    `UPDATE audit_seal_installation SET epoch = $1, size = 0, edge = '', public_key = NULL, refused = NULL,
       covered_index = NULL, covered_at = NULL`,
    [next],
  );
  await auditPool().query("DELETE FROM audit_seal_rounds WHERE checkpoint IS NULL");
  return { epoch: next, host };
}

/** The organizations with a log of an earlier epoch, without deleted ones: only the slots of these remain. */
async function logsBefore(epoch: number): Promise<string[]> {
  const { rows } = await auditPool().query<{ organization_id: string }>(
    "SELECT organization_id FROM audit_seal_logs WHERE epoch < $1 ORDER BY organization_id",
    [epoch],
  );
  const { rows: known } = await pool().query<{ id: string }>(
    "SELECT id FROM organizations WHERE id = ANY($1::uuid[])",
    [rows.map(({ organization_id }) => organization_id)],
  );
  const present = new Set([NOBODY, ...known.map(({ id }) => id)]);
  return rows.flatMap(({ organization_id }) => (present.has(organization_id) ? organization_id : []));
}

interface Reopening {
  organization_id: string;
  epoch: number;
  host: string | null;
  reason: string;
  /** What was signed last, if anything was. */
  signed: SealedHead | undefined;
}

async function reopen(
  client: pg.PoolClient,
  { organization_id, epoch, host, reason, signed }: Reopening,
): Promise<void> {
  const [log] = await lockLogs(client, [organization_id], "wait");
  if (log === undefined || log.epoch >= epoch) return;
  const closed = await newestYielded(client, log, log);
  const { rows } = await client.query<{ slot: number; retention_days: number }>(
    `SELECT slot::float8 AS slot, coalesce((
       SELECT retention_days FROM audit_seals WHERE organization_id = $1 ORDER BY epoch DESC, first_index DESC LIMIT 1
     ), $2::smallint) AS retention_days FROM audit_seal_logs WHERE organization_id = $1`,
    [organization_id, LONGEST_RETENTION_DAYS],
  );
  const [{ slot, retention_days } = { slot: 0, retention_days: LONGEST_RETENTION_DAYS }] = rows;
  await queueAgain(client, log, closed.size);
  const redacted = await removeRedactions(client, log, closed.size);
  await client.query(
    `UPDATE audit_seal_logs SET epoch = $2, size = 0, edge = '', head_size = 0, head_edge = '', head_root = NULL, signed_size = 0,
       refused = NULL, refused_at = NULL, next_public_key = NULL, next_key_from = NULL WHERE organization_id = $1`,
    [organization_id, epoch],
  );
  const head = signed?.epoch === log.epoch ? signed : closed;
  const origin = organizationOrigin({ host: host ?? "", organizationId: organization_id, slot, epoch: log.epoch });
  await startEpoch(
    client,
    { organization_id, retention_days },
    { reason, previous: { origin, ...headJson(head) }, closed: headJson(closed) },
  );
  await redactAgain(redacted);
}

interface Head {
  size: number;
  root: Hash;
}

const headJson = ({ size, root }: Head) => ({ size, root: encodeBase64(root) });

/** The newest kept checkpoint whose root the stored hashes still yield; an empty tree if there is none. */
async function newestYielded(client: pg.PoolClient, log: LogKey, tree: { size: number; edge: Buffer }): Promise<Head> {
  const { rows } = await client.query<{ checkpoint: string }>(
    "SELECT checkpoint FROM audit_seal_checkpoints WHERE organization_id = $1 AND epoch = $2 ORDER BY size DESC",
    [log.organization_id, log.epoch],
  );
  for (const { checkpoint } of rows) {
    const { size, root } = parseCheckpoint(parseNote(checkpoint).text);
    const yielded = size > tree.size ? null : await rootAt(client, log, tree, size);
    if (yielded !== null && Buffer.compare(yielded, root) === 0) return { size, root };
  }
  return { size: 0, root: EMPTY_ROOT };
}

/**
 * Removes the seals beyond `size`, and queues their events to be sealed again in the same order, in front of all that waits or is being
 * stored: a redaction follows what it redacts.
 */
async function queueAgain(client: pg.PoolClient, { organization_id, epoch }: LogKey, size: number): Promise<void> {
  const beyond = [organization_id, epoch, size];
  await client.query(
    `WITH removed AS (
       DELETE FROM audit_seals WHERE organization_id = $1 AND epoch = $2 AND first_index >= $3 RETURNING first_index, ids
     ), waiting AS (SELECT least(now(), min(queued_at)) AS since FROM audit_seal_queue WHERE organization_id = $1)
     INSERT INTO audit_seal_queue (organization_id, queued_at, id, ids)
     SELECT $1, since - interval '1 second', lpad(to_hex(first_index), 32, '0')::uuid, ids FROM removed, waiting`,
    beyond,
  );
  await client.query(
    "DELETE FROM audit_seal_nodes WHERE organization_id = $1 AND epoch = $2 AND (position + 1) * (2 ^ level)::bigint > $3",
    beyond,
  );
  await client.query(
    "DELETE FROM audit_seal_keys WHERE organization_id = $1 AND epoch = $2 AND since_size > $3",
    beyond,
  );
  await client.query(
    "DELETE FROM audit_seal_checkpoints WHERE organization_id = $1 AND epoch = $2 AND size > $3",
    beyond,
  );
}
