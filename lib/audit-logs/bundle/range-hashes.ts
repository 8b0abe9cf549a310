import type pg from "pg";
import { keyAt, readKeyChain } from "@/lib/audit-logs/seal/key-chain";
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

/** What places the entries [first, end) in a signed log: compact ranges in front of them and behind them (base64), and the signed note. */
export interface RangeProof {
  left: string[];
  right: string[];
  vkey: string;
  checkpoint: string;
}

/** The proof of a range by the newest checkpoint. Throws if there is none, or if hashes are missing. */
export async function readRangeProof(
  database: Database,
  log: LogKey,
  { first, end }: { first: number; end: number },
): Promise<RangeProof> {
  const { organization_id, epoch } = log;
  const { rows } = await database.query<{ checkpoint: string }>(
    `SELECT checkpoint FROM audit_seal_checkpoints WHERE organization_id = $1 AND epoch = $2 AND size >= $3 ORDER BY size DESC LIMIT 1`,
    [organization_id, epoch, end],
  );
  const [{ checkpoint } = { checkpoint: "" }] = rows;
  const { origin, size } = parseCheckpoint(parseNote(checkpoint).text);
  const [left, right] = [await readRange(database, log, 0, first), await readRange(database, log, end, size)];
  const publicKey = keyAt(await readKeyChain(database, organization_id, epoch), size);
  if (left === null || right === null || publicKey === null)
    throw new Error(`nothing proves the entries from ${first}`);
  const text = ({ hashes }: CompactRange) => hashes.map(encodeBase64);
  return { left: text(left), right: text(right), vkey: formatVkey(verifierKey(origin, publicKey)), checkpoint };
}
