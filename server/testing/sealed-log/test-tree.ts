import { consistencyProof, inclusionProof, type NodeSource } from "@/lib/sealed-log/proofs";
import { CompactRange, foldHashes, type Hash, leafHash, rangeNodes } from "@/lib/sealed-log/tree";

/** A tree in memory, with all its nodes and the root at every size. */
export class TestTree {
  readonly leaves: Hash[] = [];
  private readonly roots: Hash[] = [];
  private readonly nodes = new Map<string, Hash>();
  private readonly edge = CompactRange.empty();

  constructor(entries: readonly Uint8Array[] = []) {
    this.roots.push(this.edge.root());
    for (const entry of entries) this.append(leafHash(entry));
  }

  get size(): number {
    return this.leaves.length;
  }

  /** Appends the hash of a leaf. Returns its index. */
  append(leaf: Hash): number {
    this.leaves.push(leaf);
    this.edge.append(leaf, (level, index, hash) => this.nodes.set(`${level}/${index}`, hash));
    this.roots.push(this.edge.root());
    return this.size - 1;
  }

  /** The hash of a leaf. */
  leaf(index: number): Hash {
    const leaf = this.leaves[index];
    if (leaf === undefined) throw new RangeError(`no leaf ${index}`);
    return leaf;
  }

  readonly node: NodeSource = (level, index) => {
    const hash = this.nodes.get(`${level}/${index}`);
    if (hash === undefined) throw new RangeError(`no node ${level}/${index}`);
    return hash;
  };

  head(size = this.size): { size: number; root: Hash } {
    return { size, root: this.roots[size] ?? foldHashes([]) };
  }

  /** The hashes of the compact range of the leaves [begin, end). */
  range(begin: number, end: number): Hash[] {
    return rangeNodes(begin, end).map(({ level, index }) => this.node(level, index));
  }

  inclusion(index: number, size = this.size): Hash[] {
    return inclusionProof(index, size, this.node);
  }

  consistency(from: number, to = this.size): Hash[] {
    return consistencyProof(from, to, this.node);
  }
}
