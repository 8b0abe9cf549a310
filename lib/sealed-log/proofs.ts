import {
  EMPTY_ROOT,
  foldHashes,
  HASH_BYTES,
  type Hash,
  nodeHash,
  rangeNodes,
  type TreeNode,
} from "@/lib/sealed-log/tree";

/** The leaves [begin, end). */
interface LeafRange {
  begin: number;
  end: number;
}

/** Gives the hash of a perfect subtree. */
export type NodeSource = (level: number, index: number) => Hash;

/**
 * The ranges whose roots are the inclusion proof of leaf `index` in the tree of `size` leaves, in the order of RFC 6962, section
 * 2.1.1: from the leaf's sibling to the root's child. Throws RangeError unless 0 ≤ index < size.
 */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  if (!(Number.isSafeInteger(index) && Number.isSafeInteger(size) && 0 <= index && index < size)) {
    throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`);
  }
  const ranges: LeafRange[] = [];
  let [begin, end] = [0, size];
  while (end - begin > 1) {
    const middle = begin + split(end - begin);
    if (index < middle) {
      ranges.push({ begin: middle, end });
      end = middle;
    } else {
      ranges.push({ begin, end: middle });
      begin = middle;
    }
  }
  return ranges.reverse();
}

/**
 * The ranges whose roots are the consistency proof from the tree of `from` leaves to that of `to`, in the order of RFC 6962, section
 * 2.1.2. None if `from` is 0 or `to`. Throws RangeError unless 0 ≤ from ≤ to.
 */
export function consistencyRanges(from: number, to: number): LeafRange[] {
  if (!(Number.isSafeInteger(from) && Number.isSafeInteger(to) && 0 <= from && from <= to)) {
    throw new RangeError(`a tree of ${to} leaves does not contain one of ${from}`);
  }
  if (from === 0) return [];
  const ranges: LeafRange[] = [];
  let [begin, end] = [0, to];
  while (from < end) {
    const middle = begin + split(end - begin);
    if (from <= middle) {
      ranges.push({ begin: middle, end });
      end = middle;
    } else {
      ranges.push({ begin, end: middle });
      begin = middle;
    }
  }
  if (begin > 0) ranges.push({ begin, end });
  return ranges.reverse();
}

/** The perfect subtrees whose hashes are needed for the roots of `ranges`. */
export function nodesOf(ranges: readonly LeafRange[]): TreeNode[] {
  return ranges.flatMap(({ begin, end }) => rangeNodes(begin, end));
}

/** The roots of `ranges`, from the hashes of their perfect subtrees. */
export function rootsOf(ranges: readonly LeafRange[], source: NodeSource): Hash[] {
  return ranges.map(({ begin, end }) =>
    foldHashes(rangeNodes(begin, end).map(({ level, index }) => source(level, index))),
  );
}

/** The inclusion proof of RFC 6962, section 2.1.1. Throws RangeError unless 0 ≤ index < size. */
export function inclusionProof(index: number, size: number, source: NodeSource): Hash[] {
  return rootsOf(inclusionRanges(index, size), source);
}

/** The consistency proof of RFC 6962, section 2.1.2. Throws RangeError unless 0 ≤ from ≤ to. */
export function consistencyProof(from: number, to: number, source: NodeSource): Hash[] {
  return rootsOf(consistencyRanges(from, to), source);
}

/** Whether `proof` shows that the leaf with the hash `leaf` is leaf `index` of the tree (RFC 9162, section 2.1.3.2). */
export function verifyInclusion(leaf: Hash, index: number, size: number, proof: readonly Hash[], root: Hash): boolean {
  if (!(Number.isSafeInteger(index) && Number.isSafeInteger(size) && 0 <= index && index < size)) return false;
  let [node, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0 || sibling.length !== HASH_BYTES) return false;
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && equal(hash, root);
}

/** Whether `proof` shows that the tree of `to` leaves begins with that of `from` leaves (RFC 9162, section 2.1.4.2). */
export function verifyConsistency(from: Head, to: Head, proof: readonly Hash[]): boolean {
  const sizes = [from.size, to.size];
  if (!sizes.every(Number.isSafeInteger) || from.size < 0 || from.size > to.size) return false;
  if (from.size === to.size) return proof.length === 0 && equal(from.root, to.root);
  if (from.size === 0) return proof.length === 0 && equal(from.root, EMPTY_ROOT);
  const path = isPowerOfTwo(from.size) ? [from.root, ...proof] : proof;
  const [first, ...rest] = path;
  if (first === undefined || path.some((hash) => hash.length !== HASH_BYTES)) return false;
  let [node, last] = [from.size - 1, to.size - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  let [before, after] = [first, first];
  for (const hash of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      before = nodeHash(hash, before);
      after = nodeHash(hash, after);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      after = nodeHash(after, hash);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && equal(before, from.root) && equal(after, to.root);
}

/** The size of a tree, in leaves, and its root. */
export interface Head {
  size: number;
  root: Hash;
}

/** The largest power of two below `size`: where RFC 6962 splits a tree. */
function split(size: number): number {
  let middle = 1;
  while (2 * middle < size) middle *= 2;
  return middle;
}

function half(number: number): number {
  return Math.floor(number / 2);
}

function isPowerOfTwo(size: number): boolean {
  return 2 * split(size) === size || size === 1;
}

function equal(one: Hash, other: Hash): boolean {
  return Buffer.compare(one, other) === 0;
}
