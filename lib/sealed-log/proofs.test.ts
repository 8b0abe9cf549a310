import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  consistencyProof,
  consistencyRanges,
  inclusionProof,
  inclusionRanges,
  type NodeSource,
  nodesOf,
  verifyConsistency,
  verifyInclusion,
} from "@/lib/sealed-log/proofs";
import { CompactRange, type Hash, leafHash } from "@/lib/sealed-log/tree";

/** A tree with all its perfect subtrees and the root at every size. */
class Tree {
  readonly leaves: Hash[] = [];
  readonly roots: Hash[] = [];
  private readonly nodes = new Map<string, Hash>();

  constructor(entries: readonly Uint8Array[]) {
    const range = CompactRange.empty();
    this.roots.push(range.root());
    for (const entry of entries) {
      this.leaves.push(leafHash(entry));
      range.append(leafHash(entry), (level, index, hash) => this.nodes.set(`${level}/${index}`, hash));
      this.roots.push(range.root());
    }
  }

  readonly node: NodeSource = (level, index) => {
    const hash = this.nodes.get(`${level}/${index}`);
    if (hash === undefined) throw new Error(`node ${level}/${index} was asked for`);
    return hash;
  };

  leaf(index: number): Hash {
    return this.leaves[index] ?? Buffer.alloc(0);
  }

  head(size: number) {
    return { size, root: this.roots[size] ?? Buffer.alloc(0) };
  }
}

const published = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const small = new Tree(published.map((entry) => Buffer.from(entry, "hex")));
const large = new Tree(Array.from({ length: 300 }, (_, index) => Buffer.from(String(index))));
const hex = (hash: Uint8Array) => Buffer.from(hash).toString("hex");

const flipped = (hash: Hash, bit: number) => {
  const other = Buffer.from(hash);
  const position = Math.floor(bit / 8) % other.length;
  other[position] = (other[position] ?? 0) ^ (1 << (bit % 8));
  return other;
};

describe("the published proofs of RFC 6962", () => {
  test.each([
    [
      0,
      8,
      [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
      ],
    ],
    [
      5,
      8,
      [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ],
    ],
    [2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]],
    [
      1,
      5,
      [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      ],
    ],
  ])("inclusion of leaf %d in %d", (index, size, proof) => {
    expect(inclusionProof(index, size, small.node).map(hex)).toEqual(proof);
  });

  test.each([
    [1, 1, []],
    [
      1,
      8,
      [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
      ],
    ],
    [
      6,
      8,
      [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ],
    ],
    [
      2,
      5,
      [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      ],
    ],
  ])("consistency from %d to %d", (from, to, proof) => {
    expect(consistencyProof(from, to, small.node).map(hex)).toEqual(proof);
  });
});

/** Sizes whose every proof is tried: all small ones, and those around powers of two. Others are drawn at random below. */
const sizes = [...Array.from({ length: 48 }, (_, size) => size), 63, 64, 65, 127, 128, 129, 255, 256, 257, 300];

test("every inclusion proof of a tree proves its leaf and no neighbour", () => {
  for (const size of sizes) {
    const { root } = large.head(size);
    for (let index = 0; index < size; index++) {
      const proof = inclusionProof(index, size, large.node);
      const isProved = [index, index + 1].map((at) => verifyInclusion(large.leaf(index), at, size, proof, root));
      expect([size, index, ...isProved]).toEqual([size, index, true, false]);
    }
  }
});

test("every consistency proof between two trees is accepted, also from nothing and from the same", () => {
  for (const size of sizes) {
    for (let from = 0; from <= size; from++) {
      const proof = consistencyProof(from, size, large.node);
      expect([from, size, verifyConsistency(large.head(from), large.head(size), proof)]).toEqual([from, size, true]);
    }
  }
});

const pair = fc.nat(299).chain((last) => fc.tuple(fc.nat(last), fc.constant(last + 1)));

test("a proof with a changed, a missing or a surplus hash is refused", () => {
  fc.assert(
    fc.property(pair, fc.nat(), fc.nat(255), ([index, size], pick, bit) => {
      const { root } = large.head(size);
      const accepts = (proof: Hash[]) => verifyInclusion(large.leaf(index), index, size, proof, root);
      for (const proof of damaged(inclusionProof(index, size, large.node), pick, bit))
        expect(accepts(proof)).toBe(false);
      expect(
        verifyInclusion(flipped(large.leaf(index), bit), index, size, inclusionProof(index, size, large.node), root),
      ).toBe(false);
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(pair, fc.nat(), fc.nat(255), ([from, to], pick, bit) => {
      const accepts = (proof: Hash[]) => verifyConsistency(large.head(from), large.head(to), proof);
      for (const proof of damaged(consistencyProof(from, to, large.node), pick, bit))
        expect(accepts(proof)).toBe(false);
      const head = { size: from, root: flipped(large.head(from).root, bit) };
      expect(verifyConsistency(head, large.head(to), consistencyProof(from, to, large.node))).toBe(false);
    }),
    { numRuns: 300 },
  );
});

/** A proof with one hash changed, left out, cut, or added at each end. */
function damaged(proof: Hash[], pick: number, bit: number): Hash[][] {
  const extra = Buffer.alloc(32, bit);
  const at = proof.length === 0 ? 0 : pick % proof.length;
  const changes = proof.length === 0 ? [] : [proof.with(at, flipped(proof[at] ?? extra, bit)), proof.toSpliced(at, 1)];
  return [...changes, [...proof, extra], [extra, ...proof], [...proof, Buffer.alloc(31)]];
}

test("a tree larger than the memory of this machine has its proofs too", () => {
  const size = 2 ** 53 - 1;
  const ranges = inclusionRanges(2 ** 52 + 12_345, size);
  expect(ranges).toHaveLength(53);
  expect(nodesOf(ranges).length).toBeLessThan(120);
  const constant: NodeSource = (level) => Buffer.alloc(32, level);
  const [proof, leaf] = [inclusionProof(5, size, constant), Buffer.alloc(32, 0)];
  expect(verifyInclusion(leaf, 5, size, proof, leaf)).toBe(false);
  expect(consistencyRanges(2 ** 52 + 1, size).length).toBeLessThan(60);
});

describe("refused", () => {
  test.each([
    [0, 0],
    [3, 3],
    [-1, 3],
    [0.5, 3],
    [0, 2 ** 53],
  ])("leaf %d of %d", (index, size) => {
    expect(() => inclusionRanges(index, size)).toThrow(RangeError);
    expect(verifyInclusion(small.leaf(0), index, size, [], small.leaf(0))).toBe(false);
  });

  test.each([
    [4, 3],
    [-1, 3],
    [0.5, 3],
    [1, 2 ** 53],
  ])("consistency from %d to %d", (from, to) => {
    const head = (size: number) => ({ size, root: small.leaf(0) });
    expect(() => consistencyRanges(from, to)).toThrow(RangeError);
    expect(verifyConsistency(head(from), head(to), [])).toBe(false);
  });
});
