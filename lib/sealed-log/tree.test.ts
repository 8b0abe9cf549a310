import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CompactRange, EMPTY_ROOT, type Hash, leafHash, nodeHash, rangeNodes, sha256 } from "@/lib/sealed-log/tree";

const hex = (hash: Uint8Array) => Buffer.from(hash).toString("hex");

/** The entries and roots that Certificate Transparency publishes for RFC 6962. */
const entries = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const roots = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

/** The definition of RFC 6962, section 2.1, word for word. */
function definedRoot(leaves: readonly Hash[]): Hash {
  if (leaves.length === 0) return sha256(Buffer.alloc(0));
  const [only] = leaves;
  if (leaves.length === 1 && only) return only;
  let split = 1;
  while (2 * split < leaves.length) split *= 2;
  return nodeHash(definedRoot(leaves.slice(0, split)), definedRoot(leaves.slice(split)));
}

const leavesOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => leafHash(Buffer.from(String(from + index))));

function rangeOf(begin: number, leaves: readonly Hash[]): CompactRange {
  const range = CompactRange.empty(begin);
  for (const leaf of leaves) range.append(leaf);
  return range;
}

test("the roots are those of the published trees", () => {
  const range = CompactRange.empty();
  expect(hex(EMPTY_ROOT)).toBe(roots[0]);
  expect(hex(range.root())).toBe(roots[0]);
  entries.forEach((entry, index) => {
    range.append(leafHash(Buffer.from(entry, "hex")));
    expect([range.end, hex(range.root())]).toEqual([index + 1, roots[index + 1]]);
  });
});

test("a range has the perfect subtrees that transparency-dev/merkle defines", () => {
  const of = (begin: number, end: number) => rangeNodes(begin, end).map(({ level, index }) => [level, index]);
  expect(of(0, 0)).toEqual([]);
  expect(of(0, 7)).toEqual([
    [2, 0],
    [1, 2],
    [0, 6],
  ]);
  expect(of(1, 8)).toEqual([
    [0, 1],
    [1, 1],
    [2, 1],
  ]);
  expect(of(3, 13)).toEqual([
    [0, 3],
    [2, 1],
    [2, 2],
    [0, 12],
  ]);
  expect(of(2 ** 52 - 1, 2 ** 52 + 2)).toEqual([
    [0, 2 ** 52 - 1],
    [1, 2 ** 51],
  ]);
  expect(rangeNodes(0, 2 ** 53 - 1)).toHaveLength(53);
});

test("every size up to 130 has the root of the definition, however it was put together", () => {
  const leaves = leavesOf(130);
  for (let size = 0; size <= leaves.length; size++) {
    const root = hex(definedRoot(leaves.slice(0, size)));
    const [first, second] = [Math.floor(size / 3), Math.floor((2 * size) / 3)];
    const range = rangeOf(0, leaves.slice(0, first));
    const rest = rangeOf(first, leaves.slice(first, second));
    rest.merge(rangeOf(second, leaves.slice(second, size)));
    range.merge(rest);
    expect(hex(range.root())).toBe(root);
    expect(hex(CompactRange.of(0, size, range.hashes).root())).toBe(root);
  }
});

test("a merged range is the one of all leaves, wherever it begins and is cut", () => {
  const cuts = fc.tuple(fc.nat(2 ** 40), fc.array(fc.nat(40), { minLength: 2, maxLength: 5 }));
  fc.assert(
    fc.property(cuts, ([begin, counts]) => {
      const parts = counts.map((count, part) => {
        const at = begin + counts.slice(0, part).reduce((sum, one) => sum + one, 0);
        return { at, leaves: leavesOf(count, at) };
      });
      const merged = CompactRange.empty(begin);
      for (const { at, leaves } of parts) merged.merge(rangeOf(at, leaves));
      const whole = rangeOf(
        begin,
        parts.flatMap(({ leaves }) => leaves),
      );
      expect([merged.end, merged.hashes.map(hex)]).toEqual([whole.end, whole.hashes.map(hex)]);
      expect(whole.hashes).toHaveLength(rangeNodes(begin, whole.end).length);
    }),
    { numRuns: 200 },
  );
});

test("an append visits every perfect subtree once", () => {
  const visited: string[] = [];
  const range = CompactRange.empty();
  for (const leaf of leavesOf(11)) range.append(leaf, (level, index) => visited.push(`${level}/${index}`));
  const all = [11, 5, 2, 1].flatMap((count, level) => Array.from({ length: count }, (_, index) => `${level}/${index}`));
  expect(visited.toSorted()).toEqual(all.toSorted());
});

describe("refused", () => {
  test.each([
    [0, 3, 1],
    [0, 3, 3],
    [3, 2, 0],
    [-1, 0, 1],
    [0, 2.5, 2],
    [0, 2 ** 53, 1],
  ])("the range [%d, %d) with %d hashes", (begin, end, count) => {
    expect(() => CompactRange.of(begin, end, leavesOf(count))).toThrow(RangeError);
  });

  test("hashes of another length", () => {
    expect(() => CompactRange.of(0, 1, [Buffer.alloc(31)])).toThrow(RangeError);
  });

  test("ranges with a gap, and the root of a range that is not a tree", () => {
    expect(() => rangeOf(0, leavesOf(2)).merge(rangeOf(3, leavesOf(1)))).toThrow(RangeError);
    expect(() => rangeOf(1, leavesOf(1)).root()).toThrow(RangeError);
  });

  test("a clone is independent", () => {
    const range = rangeOf(0, leavesOf(3));
    range.clone().append(leafHash(Buffer.alloc(0)));
    expect([range.end, range.hashes.length]).toEqual([3, 2]);
  });
});
