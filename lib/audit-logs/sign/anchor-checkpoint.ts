import { keyAt, readKeyChain } from "@/lib/audit-logs/seal/key-chain";
import { auditPool } from "@/lib/db/audit";
import { parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { parseNote } from "@/lib/sealed-log/note";
import { formatVkey, verifierKey } from "@/lib/sealed-log/vkey";

/** A checkpoint that is kept, because somebody outside gets it. */
export interface AnchoredCheckpoint {
  epoch: number;
  size: number;
  signed_at: Date;
  note: string;
  /** The key that verifies it (C2SP signed-note). */
  vkey: string;
}

/** Of the newest epoch, the one that somebody else got today (UTC), or else the newest: at most one a day is kept for this. */
const ANCHOR = `
  UPDATE audit_seal_checkpoints c SET anchored_at = coalesce(c.anchored_at, now())
  FROM (
    SELECT epoch, size FROM audit_seal_checkpoints WHERE organization_id = $1 AND (epoch, size) > ($2, $3)
    ORDER BY epoch DESC, (anchored_at >= date_trunc('day', now(), 'UTC')) IS TRUE DESC, size DESC LIMIT 1
  ) AS newest
  WHERE c.organization_id = $1 AND c.epoch = newest.epoch AND c.size = newest.size
  RETURNING c.epoch, c.size::float8 AS size, c.checkpoint AS note, c.signed_at`;

/**
 * A signed checkpoint of an organization's log beyond `after`, which is kept for good from now on, so that a later bundle can be
 * compared with it. Null if there is none.
 */
export async function anchorCheckpoint(
  organizationId: string,
  after: { epoch: number; size: number } | null,
): Promise<AnchoredCheckpoint | null> {
  const { rows } = await auditPool().query<Omit<AnchoredCheckpoint, "vkey">>(ANCHOR, [
    organizationId,
    after?.epoch ?? 0,
    after?.size ?? 0,
  ]);
  if (rows[0] === undefined) return null;
  const [checkpoint] = rows;
  const { origin } = parseCheckpoint(parseNote(checkpoint.note).text);
  const publicKey = keyAt(await readKeyChain(auditPool(), organizationId, checkpoint.epoch), checkpoint.size);
  if (publicKey === null) throw new Error("a signed log has no key");
  return { ...checkpoint, vkey: formatVkey(verifierKey(origin, publicKey)) };
}
