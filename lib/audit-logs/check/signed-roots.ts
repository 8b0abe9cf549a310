import type { Wrong } from "@/lib/audit-logs/check/wrong";
import { keyAt, type LogKeyPeriod, readKeyChain } from "@/lib/audit-logs/seal/key-chain";
import type { LogKey } from "@/lib/audit-logs/seal/nodes";
import { readSealedHeads } from "@/lib/audit-logs/sign/sealed-heads";
import { auditPool } from "@/lib/db/audit";
import { parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { FormatError } from "@/lib/sealed-log/format-error";
import { parseNote, verifyNote } from "@/lib/sealed-log/note";
import { organizationOrigin } from "@/lib/sealed-log/origin";
import type { Hash } from "@/lib/sealed-log/tree";
import { type VerifierKey, verifierKey } from "@/lib/sealed-log/vkey";

/** A root that was signed for a log, or is about to be. */
export interface SignedRoot {
  size: number;
  root: Hash;
  /** Unix milliseconds; null for the head in the monitoring database and for changes of the key. */
  signedAt: number | null;
}

interface KeptCheckpoint {
  size: number;
  checkpoint: string;
  signed_at: Date;
  slot: number;
  host: string;
}

/** The kept checkpoints of a log and its head in the monitoring database, by size. What is wrong if one is not signed by its key. */
export async function readSignedRoots({ organization_id, epoch }: LogKey): Promise<SignedRoot[] | Wrong> {
  const head = (await readSealedHeads([organization_id])).get(organization_id);
  const { rows } = await auditPool().query<KeptCheckpoint>(
    `SELECT c.size::float8 AS size, c.checkpoint, c.signed_at, l.slot::float8 AS slot, host
     FROM audit_seal_checkpoints c JOIN audit_seal_logs l ON l.organization_id = c.organization_id
       CROSS JOIN audit_seal_installation
     WHERE c.organization_id = $1 AND c.epoch = $2 ORDER BY c.size`,
    [organization_id, epoch],
  );
  const chain = await readKeyChain(auditPool(), organization_id, epoch);
  const roots = new Map<number, SignedRoot>();
  for (const { size, checkpoint, signed_at, slot, host } of rows) {
    const origin = organizationOrigin({ host, organizationId: organization_id, slot, epoch });
    const publicKey = keyAt(chain, size);
    const root = publicKey && signedRoot(checkpoint, verifierKey(origin, publicKey), size);
    if (root === null)
      return { index: null, message: `The stored checkpoint of ${size} entries is not one that the log's key signed.` };
    roots.set(size, { size, root, signedAt: signed_at.getTime() });
  }
  for (const { since, before, public_key, note } of changesOf(chain)) {
    const [{ slot, host } = { slot: 0, host: "" }] = rows;
    const origin = organizationOrigin({ host, organizationId: organization_id, slot, epoch });
    const [root = null, again] = [before, public_key].map((key) => signedRoot(note, verifierKey(origin, key), since));
    if (root === null || !again)
      return { index: null, message: `The change of the key at ${since} entries is not signed by both keys.` };
    const same = roots.get(since);
    if (same !== undefined && Buffer.compare(same.root, root) !== 0)
      return { index: null, message: `Two histories of ${since} entries were signed.` };
    if (same === undefined) roots.set(since, { size: since, root, signedAt: null });
  }
  if (head?.epoch === epoch) {
    const same = roots.get(head.size);
    if (same !== undefined && Buffer.compare(same.root, head.root) !== 0)
      return { index: null, message: `Two histories of ${head.size} entries were signed.` };
    if (same === undefined) roots.set(head.size, { size: head.size, root: head.root, signedAt: null });
  }
  return [...roots.values()].sort((one, other) => one.size - other.size);
}

/** The changes of a log's key. A change without a checkpoint has no signature. */
function changesOf(chain: readonly LogKeyPeriod[]) {
  return chain.slice(1).map(({ note, ...period }, at) => {
    return { ...period, note: note ?? "", before: chain[at]?.public_key ?? period.public_key };
  });
}

/** The root in a checkpoint of this size, if this key signed it. */
function signedRoot(note: string, key: VerifierKey, due: number): Hash | null {
  try {
    const parsed = parseNote(note);
    const { origin, size, root } = parseCheckpoint(parsed.text);
    const isSigned = verifyNote(parsed, [key]).length > 0;
    return isSigned && origin === key.name && size === due ? root : null;
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}
