import type { KeyObject } from "node:crypto";
import { treeOf } from "@/lib/audit-logs/seal/seal-rows";
import { readHeads } from "@/lib/audit-logs/sign/begin-round";
import type { HeadsTree } from "@/lib/audit-logs/sign/heads-tree";
import { KEPT_ROUNDS } from "@/lib/audit-logs/sign/installation";
import { advanceSealedHeads, INSTALLATION, readSealedHeads, type SealedHead } from "@/lib/audit-logs/sign/sealed-heads";
import type { SignedHead } from "@/lib/audit-logs/sign/signed-head-file";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { type Checkpoint, formatCheckpoint } from "@/lib/sealed-log/checkpoint";
import { type HeadsProof, installationEntry } from "@/lib/sealed-log/heads";
import { formatNote, signNote } from "@/lib/sealed-log/note";
import { installationOrigin, organizationOrigin } from "@/lib/sealed-log/origin";
import { leafHash } from "@/lib/sealed-log/tree";
import { verifierKeyOf } from "@/lib/sealed-log/vkey";

/** Old rounds to delete with each new one. */
const EXPIRED_ROUNDS = 100;

/** A round that has begun. */
interface Round {
  epoch: number;
  index: number;
  slots: number;
  root: Buffer;
  edge_before: Buffer;
}

/** An organization's log whose head is to be signed. */
interface UnsignedLog {
  organization_id: string;
  slot: number;
  epoch: number;
  head_size: number;
  head_root: Buffer;
}

/**
 * Completes the round that has begun: advances the heads in the monitoring database, then signs them, then publishes the checkpoints.
 * Repeated after a failure, it signs the same. Returns the installation's head; null if another worker has completed the round.
 * Throws LostSwap if another one completes it now.
 */
export async function completeRound(host: string, key: KeyObject): Promise<SignedHead | null> {
  const round = await unfinishedRound();
  if (round === null) return null;
  const logs = await unsignedLogs();
  const installation = installationHead(host, round);
  const heads: SealedHead[] = [
    { log: INSTALLATION, epoch: round.epoch, size: installation.size, root: installation.root },
    ...logs.map(({ organization_id, epoch, head_size, head_root }) => ({
      ...{ log: organization_id, epoch, size: head_size, root: head_root },
    })),
  ];
  const before = await readSealedHeads(heads.map(({ log }) => log));
  await advanceSealedHeads(heads.map((to) => ({ from: before.get(to.log), to })));
  await publish(host, key, { round, installation, logs });
  return { epoch: round.epoch, size: installation.size, root: base64(installation.root) };
}

async function unfinishedRound(): Promise<Round | null> {
  const { rows } = await auditPool().query<Round>(
    `SELECT epoch, index::float8 AS index, slots::float8 AS slots, root, edge_before FROM audit_seal_rounds
     WHERE checkpoint IS NULL ORDER BY epoch, index LIMIT 1`,
  );
  return rows[0] ?? null;
}

async function unsignedLogs(): Promise<UnsignedLog[]> {
  const { rows } = await auditPool().query<UnsignedLog>(
    `SELECT organization_id, slot::float8 AS slot, epoch, head_size::float8 AS head_size, head_root
     FROM audit_seal_logs WHERE head_root IS NOT NULL AND head_size > signed_size ORDER BY organization_id`,
  );
  return rows;
}

function installationHead(host: string, { epoch, index, edge_before, slots, root }: Round): Checkpoint {
  const range = treeOf({ size: index, edge: edge_before });
  range.append(leafHash(installationEntry(slots, root)));
  return { origin: installationOrigin(host, epoch), size: range.end, root: range.root() };
}

function sign(checkpoint: Checkpoint, key: KeyObject): string {
  const text = formatCheckpoint(checkpoint);
  return formatNote({ text, signatures: [signNote(text, key, verifierKeyOf(checkpoint.origin, key))] });
}

/** What a completed round publishes. */
interface Publication {
  round: Round;
  installation: Checkpoint;
  logs: readonly UnsignedLog[];
}

async function publish(host: string, key: KeyObject, { round, installation, logs }: Publication): Promise<void> {
  const checkpoint = sign(installation, key);
  // The proof of the last entry: the hashes of the tree before it, nearest first.
  const proof = treeOf({ size: round.index, edge: round.edge_before }).hashes.map(base64).reverse();
  await withTransaction(auditPool(), async (client) => {
    const tree = await readHeads(client, host);
    for (const log of logs) {
      const origin = organizationOrigin({ host, ...log, organizationId: log.organization_id });
      const note = sign({ origin, size: log.head_size, root: log.head_root }, key);
      const heads: HeadsProof = { ...pathOf(tree, log.slot), index: round.index, proof, checkpoint };
      await client.query(
        `INSERT INTO audit_seal_checkpoints (organization_id, epoch, size, checkpoint, heads)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
        [log.organization_id, log.epoch, log.head_size, note, JSON.stringify(heads)],
      );
      // Of earlier days, the last one stays, and so do those that somebody outside has or stamps.
      await client.query(
        `DELETE FROM audit_seal_checkpoints c WHERE organization_id = $1 AND epoch = $2 AND size < $3 AND anchored_at IS NULL
         AND signed_at >= date_trunc('day', now(), 'UTC')
         AND NOT EXISTS (SELECT FROM audit_seal_stamps s WHERE s.epoch = c.epoch AND s.index = (c.heads->>'index')::bigint)`,
        [log.organization_id, log.epoch, log.head_size],
      );
      await client.query(
        "UPDATE audit_seal_logs SET signed_size = $3 WHERE organization_id = $1 AND epoch = $2 AND signed_size < $3",
        [log.organization_id, log.epoch, log.head_size],
      );
    }
    await client.query("UPDATE audit_seal_rounds SET checkpoint = $3 WHERE epoch = $1 AND index = $2", [
      round.epoch,
      round.index,
      checkpoint,
    ]);
    await client.query(
      `DELETE FROM audit_seal_rounds WHERE (epoch, index) IN (
         SELECT epoch, index FROM audit_seal_rounds WHERE (epoch, index) < ($1, $2) ORDER BY epoch, index LIMIT ${EXPIRED_ROUNDS}
       )`,
      [round.epoch, round.index - KEPT_ROUNDS],
    );
  });
}

function pathOf(tree: HeadsTree, slot: number): Pick<HeadsProof, "slots" | "path"> {
  return { slots: tree.slots, path: tree.path(slot).map(base64) };
}

const base64 = (hash: Uint8Array) => Buffer.from(hash).toString("base64");
