import { hash } from "node:crypto";

/** Bytes of a hash. */
export const HASH_BYTES = 32;
/** A SHA-256 hash: 32 bytes. */
export type Hash = Uint8Array;

/** A perfect subtree: the leaves [index × 2^level, (index + 1) × 2^level). */
export interface TreeNode {
  level: number;
  index: number;
}

/** Called with each perfect subtree that an append completes, lower levels first. */
type NodeVisitor = (level: number, index: number, hash: Hash) => void;

/** The root of the tree without leaves: SHA-256 of nothing. */
export const EMPTY_ROOT: Hash = sha256(Buffer.alloc(0));

/** SHA-256. Through a text, because each Buffer that `hash` returns has memory of its own, which costs several times as much to collect. */
export function sha256(bytes: Uint8Array): Buffer {
  return Buffer.from(hash("sha256", bytes, "hex"), "hex");
}

/** RFC 6962, section 2.1: SHA-256(0x00 ‖ entry). */
export function leafHash(entry: Uint8Array): Hash {
  const bytes = Buffer.allocUnsafe(1 + entry.length);
  bytes[0] = 0;
  bytes.set(entry, 1);
  return sha256(bytes);
}

/** RFC 6962, section 2.1: SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: Hash, right: Hash): Hash {
  const bytes = Buffer.allocUnsafe(1 + 2 * HASH_BYTES);
  bytes[0] = 1;
  bytes.set(left, 1);
  bytes.set(right, 1 + HASH_BYTES);
  return sha256(bytes);
}

/**
 * The perfect subtrees that make up the leaves [begin, end), from left to right: its compact range, as transparency-dev/merkle
 * defines it. `begin` ≤ `end` < 2^53.
 */
export function rangeNodes(begin: number, end: number): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (let position = begin; position < end; ) {
    let level = 0;
    let size = 1;
    while (position % (2 * size) === 0 && position + 2 * size <= end) {
      size *= 2;
      level += 1;
    }
    nodes.push({ level, index: position / size });
    position += size;
  }
  return nodes;
}

/** The root over adjacent perfect subtrees, given from left to right. */
export function foldHashes(hashes: readonly Hash[]): Hash {
  return hashes.length === 0 ? EMPTY_ROOT : hashes.reduceRight((right, left) => nodeHash(left, right));
}

/**
 * The compact range of the leaves [begin, end): the hashes of its perfect subtrees. The range [0, size) is enough to append to a tree and
 * to compute its root.
 */
export class CompactRange {
  private constructor(
    readonly begin: number,
    private last: number,
    private readonly nodes: Hash[],
  ) {}

  /** An empty range that starts at leaf `begin`. */
  static empty(begin = 0): CompactRange {
    return new CompactRange(begin, begin, []);
  }

  /** A stored range. Throws RangeError if the hashes are not exactly those that the range has. */
  static of(begin: number, end: number, hashes: readonly Hash[]): CompactRange {
    const isRange = Number.isSafeInteger(begin) && Number.isSafeInteger(end) && 0 <= begin && begin <= end;
    if (!isRange) throw new RangeError(`[${begin}, ${end}) is not a range of leaves`);
    const due = rangeNodes(begin, end).length;
    if (hashes.length !== due || hashes.some((one) => one.length !== HASH_BYTES)) {
      throw new RangeError(`the range [${begin}, ${end}) has ${due} hashes of ${HASH_BYTES} bytes`);
    }
    return new CompactRange(begin, end, [...hashes]);
  }

  get end(): number {
    return this.last;
  }

  get hashes(): readonly Hash[] {
    return this.nodes;
  }

  clone(): CompactRange {
    return new CompactRange(this.begin, this.last, [...this.nodes]);
  }

  /** Appends the hash of one leaf. */
  append(leaf: Hash, visit?: NodeVisitor): void {
    this.appendNode(0, leaf, visit);
  }

  /** Appends the range that begins where this one ends. Throws RangeError if it does not. */
  merge(right: CompactRange, visit?: NodeVisitor): void {
    if (right.begin !== this.last) throw new RangeError(`a range from ${right.begin} does not follow ${this.last}`);
    const hashes = right.nodes;
    rangeNodes(right.begin, right.last).forEach(({ level }, position) => {
      const hash = hashes[position];
      if (hash !== undefined) this.appendNode(level, hash, visit);
    });
  }

  /** The root of the leaves. Throws RangeError for a range that does not begin at 0: it is not a tree. */
  root(): Hash {
    if (this.begin !== 0) throw new RangeError(`a range from ${this.begin} has no root`);
    return foldHashes(this.nodes);
  }

  /** Appends a perfect subtree and joins it with its left siblings, as far as they are in the range. */
  private appendNode(subtreeLevel: number, subtree: Hash, visit?: NodeVisitor): void {
    let level = subtreeLevel;
    let size = 2 ** level;
    let index = this.last / size;
    let hash = subtree;
    visit?.(level, index, hash);
    this.last += size;
    while (index % 2 === 1 && (index - 1) * size >= this.begin) {
      const left = this.nodes.pop();
      if (left === undefined) break;
      hash = nodeHash(left, hash);
      level += 1;
      size *= 2;
      index = (index - 1) / 2;
      visit?.(level, index, hash);
    }
    this.nodes.push(hash);
  }
}
