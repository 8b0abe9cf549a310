import type pg from "pg";
import { keyAt, keyChanges, readKeyChain } from "@/lib/audit-logs/seal/key-chain";
import { type LogKey, StoredNodes } from "@/lib/audit-logs/seal/nodes";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { parseNote } from "@/lib/sealed-log/note";
import { organizationOrigin } from "@/lib/sealed-log/origin";
import { CompactRange, type Hash, rangeNodes } from "@/lib/sealed-log/tree";
import { formatVkey, verifierKey } from "@/lib/sealed-log/vkey";

type Database = Pick<pg.ClientBase, "query">;

/** The compact range of the entries [first, end) of a log; null if seals that it needs have been deleted. */
export async function readRange(
  database: Database,
  log: LogKey,
  first: number,
  end: number,
): Promise<CompactRange | null> {
  const nodes = rangeNodes(first, end);
  try {
    const read = await StoredNodes.read(database, log, nodes);
    const hashes: Hash[] = nodes.map(({ level, index }) => read.at(level, index));
    return CompactRange.of(first, end, hashes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The name of an organization's log in an epoch; null until the installation has a key. */
export async function originOf(database: Database, { organization_id, epoch }: LogKey): Promise<string | null> {
  const { rows } = await database.query<{ slot: number; host: string | null }>(
    `SELECT slot::float8 AS slot, host FROM audit_seal_logs CROSS JOIN audit_seal_installation WHERE organization_id = $1`,
    [organization_id],
  );
  const [{ slot, host } = { slot: 0, host: null }] = rows;
  return host === null ? null : organizationOrigin({ host, organizationId: organization_id, slot, epoch });
}

/** What places the entries [from, end) in a signed log. */
export interface RangeProof {
  /** The first entry that is proved. Nothing is left of those in front of it that has to be proved. */
  from: number;
  /** The compact ranges in front of `from` and behind `end`, as base64. */
  left: string[];
  right: string[];
  vkey: string;
  /** A signed note that covers the range. */
  checkpoint: string;
  /** The changes of the key up to that checkpoint, oldest first. */
  keys: { vkey: string; note: string }[];
  /** When the last entry was sealed (ISO 8601), or if that is not known any more, when the checkpoint was signed. */
  sealedAt: string;
}

/** The proof of a range by the newest checkpoint; null if hashes that it needs have been deleted. Throws if there is no checkpoint. */
export async function readRangeProof(
  database: Database,
  log: LogKey,
  { from, end }: { from: number; end: number },
): Promise<RangeProof | null> {
  const { organization_id, epoch } = log;
  const { rows } = await database.query<{ checkpoint: string; sealed_at: Date }>(
    `SELECT checkpoint, coalesce((
       SELECT sealed_at FROM audit_seals s WHERE s.organization_id = $1 AND s.epoch = $2 AND s.first_index < $3
         AND s.first_index + cardinality(s.ids) >= $3 ORDER BY s.first_index DESC LIMIT 1
     ), signed_at) AS sealed_at
     FROM audit_seal_checkpoints WHERE organization_id = $1 AND epoch = $2 AND size >= $3 ORDER BY size DESC LIMIT 1`,
    [organization_id, epoch, end],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`no checkpoint covers the entries up to ${end}`);
  const { checkpoint, sealed_at } = row;
  const { origin, size } = parseCheckpoint(parseNote(checkpoint).text);
  const [left, right] = [await readRange(database, log, 0, from), await readRange(database, log, end, size)];
  const chain = await readKeyChain(database, organization_id, epoch);
  const publicKey = keyAt(chain, size);
  if (publicKey === null) throw new Error("a signed log has no key");
  if (left === null || right === null) return null;
  const text = ({ hashes }: CompactRange) => hashes.map(encodeBase64);
  return {
    ...{ from, left: text(left), right: text(right), checkpoint, sealedAt: sealed_at.toISOString() },
    ...{ vkey: formatVkey(verifierKey(origin, publicKey)), keys: keyChanges(origin, chain, size) },
  };
}
