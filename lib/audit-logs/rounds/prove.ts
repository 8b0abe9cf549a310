import type pg from "pg";
import { BLOCK, blockLeaves, blockRoots } from "@/lib/audit-logs/rounds/blocks";
import { consistencyProof, consistencyRanges, type Head, nodesOf } from "@/lib/sealed-log/proofs";
import { CompactRange, foldHashes, type Hash, rangeNodes, type TreeNode } from "@/lib/sealed-log/tree";

type Database = Pick<pg.ClientBase, "query">;

/** What shows that the log over all heads has only grown since it had `from` entries. */
interface GrowthProof {
  from: Head;
  /** The consistency proof (RFC 6962, section 2.1.2). */
  proof: Hash[];
}

/**
 * Proves that the log over all heads of `to` entries begins with that of `from`. Throws RangeError if hashes are not stored: rounds are
 * only kept for some days where an earlier release signed them.
 */
export async function proveRounds(database: Database, epoch: number, from: number, to: number): Promise<GrowthProof> {
  const before = rangeNodes(0, from);
  const nodes = [...before, ...nodesOf(consistencyRanges(from, to))];
  const hashes = new Map<string, Hash>();
  for (const node of nodes) {
    const name = nameOf(node);
    if (!hashes.has(name)) hashes.set(name, await hashOf(database, epoch, node));
  }
  const source = (level: number, index: number) => {
    const hash = hashes.get(nameOf({ level, index }));
    if (hash === undefined) throw new RangeError("a hash was not read");
    return hash;
  };
  const root = foldHashes(before.map(({ level, index }) => source(level, index)));
  return { from: { size: from, root }, proof: consistencyProof(from, to, source) };
}

const nameOf = ({ level, index }: TreeNode) => `${level} ${index}`;

/** The hash of a perfect subtree, from the roots of its blocks or the leaves of one block. */
async function hashOf(database: Database, epoch: number, { level, index }: TreeNode): Promise<Hash> {
  const width = 2 ** level;
  const [from, to] = [index * width, (index + 1) * width];
  const parts =
    width < BLOCK
      ? await blockLeaves(database, epoch, from, to)
      : await blockRoots(database, epoch, from / BLOCK, to / BLOCK);
  const range = CompactRange.empty();
  for (const part of parts) range.append(part);
  return range.root();
}
