import type pg from "pg";
import { leavesOfRounds } from "@/lib/audit-logs/rounds/leaves";
import { CompactRange, HASH_BYTES, type Hash } from "@/lib/sealed-log/tree";

type Database = Pick<pg.ClientBase, "query">;

/** Entries of a block. */
export const BLOCK = 256;
/** Blocks that are stored with each round: more than one only after an upgrade, until those from before it are stored. */
const MAX_BLOCKS = 4;

/** Stores the blocks of the log over all heads that `size` entries complete and that are not stored yet, some of them. */
export async function storeRoundBlocks(database: Database, epoch: number, size: number): Promise<void> {
  if (size < BLOCK) return;
  const { rows } = await database.query<{ next: number }>(
    "SELECT coalesce(max(block) + 1, 0)::float8 AS next FROM audit_seal_round_blocks WHERE epoch = $1",
    [epoch],
  );
  const next = rows[0]?.next ?? 0;
  const last = Math.min(next + MAX_BLOCKS, Math.floor(size / BLOCK));
  for (let block = next; block < last; block++) {
    const leaves = await leavesOfRounds(database, epoch, block * BLOCK, (block + 1) * BLOCK);
    await database.query(
      "INSERT INTO audit_seal_round_blocks (epoch, block, root, leaves) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
      [epoch, block, Buffer.from(rootOf(leaves)), Buffer.concat(leaves)],
    );
  }
  await database.query("DELETE FROM audit_seal_round_blocks WHERE epoch < $1", [epoch]);
}

/** The roots of the blocks [from, to). Throws RangeError if one is not known. */
export async function blockRoots(database: Database, epoch: number, from: number, to: number): Promise<Hash[]> {
  const { rows } = await database.query<{ block: number; root: Buffer }>(
    "SELECT block::float8 AS block, root FROM audit_seal_round_blocks WHERE epoch = $1 AND block >= $2 AND block < $3",
    [epoch, from, to],
  );
  const known = new Map(rows.map(({ block, root }): [number, Hash] => [block, root]));
  const roots: Hash[] = [];
  for (let block = from; block < to; block++) {
    roots.push(known.get(block) ?? rootOf(await leavesOfRounds(database, epoch, block * BLOCK, (block + 1) * BLOCK)));
  }
  return roots;
}

/** The leaves [from, to) of one block. Throws RangeError if one is not known. */
export async function blockLeaves(database: Database, epoch: number, from: number, to: number): Promise<Hash[]> {
  const block = Math.floor(from / BLOCK);
  const { rows } = await database.query<{ leaves: Buffer }>(
    "SELECT leaves FROM audit_seal_round_blocks WHERE epoch = $1 AND block = $2",
    [epoch, block],
  );
  if (rows[0] === undefined) return leavesOfRounds(database, epoch, from, to);
  const { leaves } = rows[0];
  return Array.from({ length: to - from }, (_, at) => {
    const start = (from - block * BLOCK + at) * HASH_BYTES;
    return leaves.subarray(start, start + HASH_BYTES);
  });
}

function rootOf(leaves: readonly Hash[]): Hash {
  const range = CompactRange.empty();
  for (const leaf of leaves) range.append(leaf);
  return range.root();
}
