import { newestCheckpoint } from "@/lib/audit-logs/bundle/header";
import type * as contract from "@/lib/audit-logs/bundle/proof-contract";
import { type Scope, scopeOf } from "@/lib/audit-logs/scope/scope";
import { bodyOf, whereId } from "@/lib/audit-logs/scope/where";
import { findSeals } from "@/lib/audit-logs/seal/find-seals";
import { type LogKey, StoredNodes } from "@/lib/audit-logs/seal/nodes";
import { readRedaction, redactedSeal } from "@/lib/audit-logs/seal/stored-redactions";
import { auditPool } from "@/lib/db/audit";
import { decodePosition, encodeCursor } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, invalid, notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { NONCE_BYTES, partHash, saltsOf } from "@/lib/sealed-log/leaf";
import { parseNote } from "@/lib/sealed-log/note";
import { consistencyRanges, inclusionRanges, nodesOf, rootsOf } from "@/lib/sealed-log/proofs";
import { formatTlogProof } from "@/lib/sealed-log/tlog-proof";
import type { Hash } from "@/lib/sealed-log/tree";

/** Seconds in which an event usually gets a signed checkpoint. */
const USUAL_SEALING_SECONDS = 5;

/** 409: no signed checkpoint covers the event. */
export function notSealedYet(): ApiError {
  return new ApiError("NOT_SEALED_YET", "No signed checkpoint covers the event yet. Try again after some seconds.", {
    retry_after: USUAL_SEALING_SECONDS,
  });
}

/**
 * The proof that an event is in the sealed log, under the newest checkpoint. `extra` is the event's nonce and the hash of its body, so
 * that the event is proved with or without its body; of a redacted event, the JSON of its seal. Throws 404 and 409.
 */
export async function getAuditProof(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getAuditProof>,
): Promise<Output<typeof contract.getAuditProof>> {
  const [body, seals] = await Promise.all([
    scopeOf(organizationId).then((scope) => readBody(scope, id)),
    findSeals([{ organization_id: organizationId, id }]),
  ]);
  const seal = seals.get(id);
  if (seal === undefined) throw notSealedYet();
  const log: LogKey = { organization_id: organizationId, epoch: seal.epoch };
  const [newest, nonce] = await Promise.all([
    newestCheckpoint(auditPool(), organizationId, seal.epoch),
    readNonce(log, seal.index),
  ]);
  if (newest === null) throw notSealedYet();
  const { size } = parseCheckpoint(parseNote(newest.checkpoint).text);
  const [redacted, proof] = await Promise.all([
    // Read after the nonce and the body, because a redaction may delete them meanwhile.
    readRedaction(auditPool(), organizationId, id),
    prove(log, inclusionRanges(seal.index, size)),
  ]);
  const text = formatTlogProof({
    extra:
      redacted === null
        ? Buffer.concat([nonce, partHash(saltsOf(nonce).body, body)])
        : Buffer.from(JSON.stringify(redactedSeal(redacted))),
    index: seal.index,
    proof,
    checkpoint: newest.checkpoint,
  });
  return new Response(text, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": `attachment; filename="${id}.tlog-proof"`,
    },
  });
}

/** The body as stored; empty if there is none. Throws 404 without the event. */
async function readBody(scope: Scope, id: string): Promise<Buffer> {
  const own = whereId(scope, id);
  const { rows } = await auditPool().query<{ body: Buffer | null }>(
    `SELECT (SELECT body ${bodyOf(own, id)}) AS body
     FROM audit_events e WHERE ${own}`,
    own.values,
  );
  if (rows[0] === undefined) throw notFound();
  return rows[0].body ?? Buffer.alloc(0);
}

async function readNonce({ organization_id, epoch }: LogKey, index: number): Promise<Buffer> {
  const { rows } = await auditPool().query<{ nonce: Buffer }>(
    `SELECT substr(nonces, ($3 - first_index)::integer * ${NONCE_BYTES} + 1, ${NONCE_BYTES}) AS nonce FROM audit_seals
     WHERE organization_id = $1 AND epoch = $2 AND first_index <= $3 ORDER BY first_index DESC LIMIT 1`,
    [organization_id, epoch, index],
  );
  if (rows[0] === undefined) throw notFound();
  return rows[0].nonce;
}

async function prove(log: LogKey, ranges: ReturnType<typeof inclusionRanges>): Promise<Hash[]> {
  const nodes = await StoredNodes.read(auditPool(), log, nodesOf(ranges));
  return rootsOf(ranges, nodes.at);
}

/** The newest checkpoint of the present epoch, or of a given one. Throws 400 for an unknown epoch, 409 before the first checkpoint. */
export async function requireCheckpoint(organizationId: string, epoch: number | undefined) {
  const newest = await newestCheckpoint(auditPool(), organizationId, epoch);
  if (newest !== null) return newest;
  throw epoch === undefined ? notSealedYet() : invalid("epoch", "is not an epoch of this log with a signed checkpoint");
}

/** Proves that the log has only grown. Throws 400, and 409 before the first checkpoint or if the seals have expired. */
export async function getConsistency(
  { organizationId }: Principal,
  { from, to, epoch }: Input<typeof contract.getConsistency>,
): Promise<Output<typeof contract.getConsistency>> {
  const newest = await requireCheckpoint(organizationId, epoch);
  const { size } = parseCheckpoint(parseNote(newest.checkpoint).text);
  if (to > size) throw invalid("to", `must not exceed the size of the newest checkpoint, ${size}`);
  if (from > to) throw invalid("from", "must not exceed to");
  try {
    const hashes = await prove({ organization_id: organizationId, epoch: newest.epoch }, consistencyRanges(from, to));
    return { from, to, hashes: hashes.map(encodeBase64) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ApiError("CONFLICT", "The seals of these events have expired, so the proof can no longer be made.");
  }
}

/** The kept checkpoints, newest first. Throws 400. */
export async function listCheckpoints(
  { organizationId }: Principal,
  { limit, cursor }: Input<typeof contract.listCheckpoints>,
): Promise<Output<typeof contract.listCheckpoints>> {
  const [before = "9999-12-31T23:59:59.999Z"] = cursor === undefined ? [] : decodePosition(cursor, null, ["time"]);
  const { rows } = await auditPool().query<{ epoch: number; size: number; checkpoint: string; signed_at: Date }>(
    `SELECT epoch, size::float8 AS size, checkpoint, signed_at FROM audit_seal_checkpoints
     WHERE organization_id = $1 AND signed_at < $2 ORDER BY signed_at DESC LIMIT $3`,
    [organizationId, before, limit + 1],
  );
  const items = rows.slice(0, limit).map((row) => ({ ...row, signed_at: row.signed_at.toISOString() }));
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, nextCursor: last === undefined ? null : encodeCursor([last.signed_at], null) };
}
