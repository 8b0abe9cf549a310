import type pg from "pg";
import { storeRoundBlocks } from "@/lib/audit-logs/rounds/blocks";
import { INSTALLATION_LOG, NEWEST_KEY } from "@/lib/audit-logs/seal/key-chain";
import { treeOf } from "@/lib/audit-logs/seal/seal-rows";
import { readHeads } from "@/lib/audit-logs/sign/begin-round";
import type { HeadsTree } from "@/lib/audit-logs/sign/heads-tree";
import { KEPT_ROUNDS } from "@/lib/audit-logs/sign/installation";
import type { SealKey, SealKeys } from "@/lib/audit-logs/sign/seal-keys";
import {
  advanceSealedHeads,
  INSTALLATION,
  LostSwap,
  readSealedHeads,
  type SealedHead,
} from "@/lib/audit-logs/sign/sealed-heads";
import type { SignedHead } from "@/lib/audit-logs/sign/signed-head-file";
import { warnOnce } from "@/lib/audit-logs/sign/warn-once";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { type Checkpoint, formatCheckpoint } from "@/lib/sealed-log/checkpoint";
import { type HeadsProof, installationEntry } from "@/lib/sealed-log/heads";
import { formatNote, signNote } from "@/lib/sealed-log/note";
import { installationOrigin, organizationOrigin } from "@/lib/sealed-log/origin";
import { leafHash } from "@/lib/sealed-log/tree";
import { verifierKey } from "@/lib/sealed-log/vkey";

/** Old rounds to delete with each new one. */
const EXPIRED_ROUNDS = 100;
/** A witness answers within this time, if at all. */
const COSIGNING_SECONDS = 30;

const NO_KEY =
  "Its checkpoints were signed by a key that this machine does not have: set AUDIT_SEAL_KEY_BEFORE until it has changed to the new one.";

/** A round that has begun. */
interface Round {
  epoch: number;
  index: number;
  slots: number;
  root: Buffer;
  edge_before: Buffer;
  /** The key of the installation's log; null before its first checkpoint. */
  public_key: Buffer | null;
}

/** An organization's log whose head is to be signed. */
interface UnsignedLog {
  organization_id: string;
  slot: number;
  epoch: number;
  head_size: number;
  head_root: Buffer;
  /** Of its newest checkpoint; null before the first. */
  public_key: Buffer | null;
  /** The key that an event announces, and from which size on both sign. */
  next_public_key: Buffer | null;
  next_key_from: number | null;
}

/**
 * Completes the round that has begun: advances the heads in the monitoring database, then signs them, then publishes the checkpoints.
 * Repeated after a failure, it signs the same. Logs whose key this machine does not have are left out. Returns the installation's head;
 * null if another worker has completed the round.
 * Throws LostSwap if another one completes it now.
 */
export async function completeRound(host: string, keys: SealKeys): Promise<SignedHead | null> {
  const round = await unfinishedRound();
  if (round === null) return null;
  const isOurs = [keys.current, keys.before].some(
    (key) => key !== null && (round.public_key?.equals(key.publicKey) ?? true),
  );
  if (!isOurs) throw new LostSwap("another worker changed the key of the installation's log in the meantime");
  const unsigned = await unsignedLogs();
  const logs = unsigned.filter((log) => signersOf(log, keys).length > 0);
  for (const log of unsigned) if (!logs.includes(log)) warnOnce(NO_KEY, log.organization_id);
  const installation = installationHead(host, round);
  const heads: SealedHead[] = [
    { log: INSTALLATION, epoch: round.epoch, size: installation.size, root: installation.root },
    ...logs.map(({ organization_id, epoch, head_size, head_root }) => ({
      ...{ log: organization_id, epoch, size: head_size, root: head_root },
    })),
  ];
  const before = await readSealedHeads(heads.map(({ log }) => log));
  await advanceSealedHeads(heads.map((to) => ({ from: before.get(to.log), to })));
  await publish(host, keys, { round, installation, logs });
  return { epoch: round.epoch, size: installation.size, root: encodeBase64(installation.root) };
}

async function unfinishedRound(): Promise<Round | null> {
  const { rows } = await auditPool().query<Round>(
    `SELECT epoch, index::float8 AS index, slots::float8 AS slots, root, edge_before, (
       SELECT public_key FROM audit_seal_installation
     ) AS public_key FROM audit_seal_rounds
     WHERE checkpoint IS NULL ORDER BY epoch, index LIMIT 1`,
  );
  return rows[0] ?? null;
}

async function unsignedLogs(): Promise<UnsignedLog[]> {
  const { rows } = await auditPool().query<UnsignedLog>(
    `SELECT organization_id, slot::float8 AS slot, l.epoch, head_size::float8 AS head_size, head_root,
       coalesce(${NEWEST_KEY}, CASE WHEN signed_size > 0 THEN i.public_key END) AS public_key,
       next_public_key, next_key_from::float8 AS next_key_from
     FROM audit_seal_logs l CROSS JOIN audit_seal_installation i
     WHERE head_root IS NOT NULL AND head_size > signed_size ORDER BY organization_id`,
  );
  return rows;
}

function installationHead(host: string, { epoch, index, edge_before, slots, root }: Round): Checkpoint {
  const range = treeOf({ size: index, edge: edge_before });
  range.append(leafHash(installationEntry(slots, root)));
  return { origin: installationOrigin(host, epoch), size: range.end, root: range.root() };
}

/** The keys that sign a log's head: the one before, until an event in the log names the present one; then once both. */
function signersOf(
  { public_key, next_public_key, next_key_from, head_size }: UnsignedLog,
  { current, before }: SealKeys,
): SealKey[] {
  if (public_key === null || public_key.equals(current.publicKey)) return [current];
  if (before === null || !public_key.equals(before.publicKey)) return [];
  const isAnnounced =
    next_public_key?.equals(current.publicKey) && next_key_from !== null && next_key_from <= head_size;
  return isAnnounced ? [before, current] : [before];
}

function sign(checkpoint: Checkpoint, keys: readonly SealKey[]): string {
  const text = formatCheckpoint(checkpoint);
  const signatures = keys.map(({ privateKey, publicKey }) =>
    signNote(text, privateKey, verifierKey(checkpoint.origin, publicKey)),
  );
  return formatNote({ text, signatures });
}

/** What a completed round publishes. */
interface Publication {
  round: Round;
  installation: Checkpoint;
  logs: readonly UnsignedLog[];
}

async function publish(host: string, keys: SealKeys, { round, installation, logs }: Publication): Promise<void> {
  // Both keys, as long as some log may be signed by the one before: who trusts that one verifies this checkpoint, too.
  const checkpoint = sign(installation, [...(keys.before === null ? [] : [keys.before]), keys.current]);
  // The proof of the last entry: the hashes of the tree before it, nearest first.
  const proof = treeOf({ size: round.index, edge: round.edge_before }).hashes.map(encodeBase64).reverse();
  await withTransaction(auditPool(), async (client) => {
    const tree = await readHeads(client, host);
    const signed = logs.map((log): SignedLog => {
      const origin = organizationOrigin({ host, ...log, organizationId: log.organization_id });
      const signers = signersOf(log, keys);
      const note = sign({ origin, size: log.head_size, root: log.head_root }, signers);
      const heads: HeadsProof = { ...pathOf(tree, log.slot), index: round.index, proof, checkpoint };
      const place = { log: log.organization_id, epoch: log.epoch, size: log.head_size };
      return { ...place, note, heads, isByCurrent: signers.includes(keys.current) };
    });
    await publishLogs(client, signed);
    const byCurrent = signed.filter(({ isByCurrent }) => isByCurrent);
    const own = { log: INSTALLATION_LOG, epoch: round.epoch, size: installation.size, note: checkpoint };
    await keepKey(client, keys.current, [...byCurrent, own]);
    await client.query(
      `UPDATE audit_seal_logs SET next_public_key = NULL, next_key_from = NULL
       WHERE organization_id = ANY($1::uuid[]) AND next_public_key IS NOT NULL`,
      [byCurrent.map(({ log }) => log)],
    );
    await client.query("UPDATE audit_seal_installation SET public_key = $1 WHERE public_key IS DISTINCT FROM $1", [
      keys.current.publicKey,
    ]);
    await client.query("UPDATE audit_seal_rounds SET checkpoint = $3 WHERE epoch = $1 AND index = $2", [
      round.epoch,
      round.index,
      checkpoint,
    ]);
    await storeRoundBlocks(client, round.epoch, installation.size);
    await client.query(
      `DELETE FROM audit_seal_rounds WHERE (epoch, index) IN (
         SELECT epoch, index FROM audit_seal_rounds WHERE (epoch, index) < ($1, $2) ORDER BY epoch, index LIMIT ${EXPIRED_ROUNDS}
       )`,
      [round.epoch, round.index - KEPT_ROUNDS],
    );
  });
}

/** The head of a log that is signed: of an organization (by its id), or INSTALLATION_LOG. */
interface SignedHeadOf {
  log: string;
  epoch: number;
  size: number;
  /** Its checkpoint. */
  note: string;
}

interface SignedLog extends SignedHeadOf {
  heads: HeadsProof;
  /** Whether the present key has signed it. */
  isByCurrent: boolean;
}

/** The columns of heads as parameters: log, epoch, size. */
function placesOf(heads: readonly SignedHeadOf[]): unknown[] {
  return [heads.map(({ log }) => log), heads.map(({ epoch }) => epoch), heads.map(({ size }) => size)];
}

async function publishLogs(client: pg.PoolClient, logs: readonly SignedLog[]): Promise<void> {
  const places = placesOf(logs);
  await client.query(
    `INSERT INTO audit_seal_checkpoints (organization_id, epoch, size, checkpoint, heads)
     SELECT * FROM unnest($1::uuid[], $2::integer[], $3::bigint[], $4::text[], $5::jsonb[]) ON CONFLICT DO NOTHING`,
    [...places, logs.map(({ note }) => note), logs.map(({ heads }) => JSON.stringify(heads))],
  );
  await deleteEarlier(client, places);
  await client.query(
    `UPDATE audit_seal_logs l SET signed_size = signed.size
     FROM unnest($1::uuid[], $2::integer[], $3::bigint[]) AS signed (organization_id, epoch, size)
     WHERE l.organization_id = signed.organization_id AND l.epoch = signed.epoch AND l.signed_size < signed.size`,
    places,
  );
}

/**
 * Deletes earlier checkpoints of today, except those that were sent outside or are time-stamped, the newest that a witness has cosigned,
 * and for some seconds those that a witness may be cosigning. Those of earlier days stay. Whether one was sent is checked again once its
 * row is locked, because it may be sent in the meantime. Those of today follow the newest of before, because all others are kept for good.
 */
async function deleteEarlier(client: pg.PoolClient, places: readonly unknown[]): Promise<void> {
  await client.query(
    `WITH today AS (
       SELECT signed.organization_id, signed.epoch, c.size, anchored_at, signed_at, EXISTS (
         SELECT FROM audit_seal_stamps s WHERE s.epoch = c.epoch AND s.index = (c.heads->>'index')::bigint
       ) AS is_stamped, EXISTS (
         SELECT FROM audit_seal_cosignatures s
         WHERE s.epoch = c.epoch AND s.index = (coalesce(c.first_heads, c.heads)->>'index')::bigint
       ) AS is_cosigned
       FROM unnest($1::uuid[], $2::integer[], $3::bigint[]) AS signed (organization_id, epoch, size) CROSS JOIN LATERAL (
         SELECT * FROM audit_seal_checkpoints WHERE organization_id = signed.organization_id AND epoch = signed.epoch
           AND size < signed.size AND signed_at >= date_trunc('day', now(), 'UTC') AND size > coalesce((
             SELECT size FROM audit_seal_checkpoints earlier
             WHERE earlier.organization_id = signed.organization_id AND earlier.epoch = signed.epoch
               AND earlier.size < signed.size AND earlier.signed_at < date_trunc('day', now(), 'UTC')
             ORDER BY size DESC LIMIT 1
           ), -1)
       ) AS c
     ), judged AS (
       SELECT *, max(size) FILTER (WHERE is_cosigned) OVER (PARTITION BY organization_id, epoch) AS last_cosigned FROM today
     )
     DELETE FROM audit_seal_checkpoints WHERE (organization_id, epoch, size) IN (
       SELECT organization_id, epoch, size FROM judged WHERE anchored_at IS NULL AND NOT is_stamped
         AND size IS DISTINCT FROM last_cosigned
         AND (signed_at < now() - interval '${COSIGNING_SECONDS} seconds' OR NOT EXISTS (SELECT FROM audit_seal_witnesses))
     ) AND anchored_at IS NULL`,
    [...places],
  );
}

/** Keeps the key of each log whose key is another than before, with the checkpoint that both signed; of the first one only the key. */
async function keepKey(client: pg.PoolClient, { publicKey }: SealKey, heads: readonly SignedHeadOf[]): Promise<void> {
  await client.query(
    `INSERT INTO audit_seal_keys (organization_id, epoch, since_size, public_key, checkpoint)
     SELECT signed.log, signed.epoch, CASE WHEN newest.public_key IS NULL THEN 0 ELSE signed.size END, $5::bytea,
       CASE WHEN newest.public_key IS NOT NULL THEN signed.note END
     FROM unnest($1::uuid[], $2::integer[], $3::bigint[], $4::text[]) AS signed (log, epoch, size, note) LEFT JOIN LATERAL (
       SELECT public_key FROM audit_seal_keys k WHERE k.organization_id = signed.log AND k.epoch = signed.epoch
       ORDER BY since_size DESC LIMIT 1
     ) AS newest ON true WHERE newest.public_key IS DISTINCT FROM $5`,
    [...placesOf(heads), heads.map(({ note }) => note), publicKey],
  );
}

function pathOf(tree: HeadsTree, slot: number): Pick<HeadsProof, "slots" | "path"> {
  return { slots: tree.slots, path: tree.path(slot).map(encodeBase64) };
}
