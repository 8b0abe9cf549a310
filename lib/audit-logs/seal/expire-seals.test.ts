import fc from "fast-check";
import { expect, test } from "vitest";
import { lastingNodes } from "@/lib/audit-logs/seal/expire-seals";
import { NODE_LEVELS } from "@/lib/audit-logs/seal/seal-rows";
import { consistencyProof, verifyConsistency } from "@/lib/sealed-log/proofs";
import { CompactRange, foldHashes, type Hash, leafHash, nodeHash, rangeNodes } from "@/lib/sealed-log/tree";

const BLOCK = 2 ** NODE_LEVELS;
const LEAVES = 3 * BLOCK;
const leaves = Array.from({ length: LEAVES }, (_, at) => leafHash(Buffer.from(String(at))));

const hashAt = (level: number, index: number): Hash => {
  const own = leaves.slice(index * 2 ** level, (index + 1) * 2 ** level);
  const range = CompactRange.empty();
  for (const leaf of own) range.append(leaf);
  return range.root();
};

/** What is known after the seals before each of `ends` were deleted, one after the other, when the log had `size` events. */
function afterDeletions(kept: readonly number[], ends: readonly number[], size: number) {
  const known = new Map<string, Hash>();
  const keep = (level: number, index: number) => known.set(`${level} ${index}`, hashAt(level, index));
  for (let block = 0; (block + 1) * BLOCK <= size; block++) keep(NODE_LEVELS, block);
  let deleted = 0;
  const at = (level: number, index: number): Hash => {
    const stored = known.get(`${level} ${index}`);
    if (stored !== undefined) return stored;
    const leaf = leaves[index];
    if (level === 0 && index >= deleted && index < size && leaf !== undefined) return leaf;
    if (level === 0) throw new RangeError(`the seal of event ${index} is gone`);
    return nodeHash(at(level - 1, 2 * index), at(level - 1, 2 * index + 1));
  };
  for (const end of ends) {
    const due = kept.filter((each) => each > deleted - (deleted % BLOCK) && each <= end);
    const found = lastingNodes(due, end).map((node) => ({ node, hash: at(node.level, node.index) }));
    for (const { node, hash } of found) known.set(`${node.level} ${node.index}`, hash);
    deleted = end;
  }
  return at;
}

const rootOf = (size: number) => foldHashes(rangeNodes(0, size).map(({ level, index }) => hashAt(level, index)));

test("a kept checkpoint can be compared with every later kept one, however its seals expired", () => {
  const sizes = fc.uniqueArray(fc.integer({ min: 1, max: LEAVES }), { minLength: 2, maxLength: 6 });
  const ends = fc.uniqueArray(fc.integer({ min: 1, max: LEAVES }), { maxLength: 4 });
  fc.assert(
    fc.property(sizes, ends, (someSizes, someEnds) => {
      const kept = someSizes.toSorted((one, other) => one - other);
      const size = kept.at(-1) ?? 0;
      const at = afterDeletions(
        kept,
        someEnds.filter((end) => end <= size).sort((one, other) => one - other),
        size,
      );
      for (const [number, from] of kept.entries()) {
        for (const to of kept.slice(number)) {
          const proof = consistencyProof(from, to, at);
          const heads = [from, to].map((each) => ({ size: each, root: rootOf(each) }));
          const [before, after] = heads;
          expect(before && after && verifyConsistency(before, after, proof)).toBe(true);
        }
      }
    }),
    { numRuns: 60 },
  );
});
