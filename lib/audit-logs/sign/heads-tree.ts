import type { Checkpoint } from "@/lib/sealed-log/checkpoint";
import { headEntry, UNUSED_SLOT } from "@/lib/sealed-log/heads";
import { inclusionProof } from "@/lib/sealed-log/proofs";
import { foldHashes, type Hash, leafHash, nodeHash, rangeNodes } from "@/lib/sealed-log/tree";

/** The head of an organization's log. */
interface SlotHead extends Checkpoint {
  slot: number;
}

/** The tree over the heads of all logs, by slot. Unused slots have a leaf of their own. */
export class HeadsTree {
  /** The hashes of the perfect subtrees of each level. */
  readonly #levels: Hash[][];

  constructor(heads: readonly SlotHead[]) {
    const slots = heads.reduce((most, { slot }) => Math.max(most, slot + 1), 0);
    const unused = leafHash(UNUSED_SLOT);
    const leaves = Array.from({ length: slots }, () => unused);
    for (const head of heads) leaves[head.slot] = leafHash(headEntry(head));
    this.#levels = [leaves];
    for (let below = leaves; below.length > 1; ) {
      const level = Array.from({ length: below.length >> 1 }, (_, index) =>
        nodeHash(at(below, 2 * index), at(below, 2 * index + 1)),
      );
      this.#levels.push(level);
      below = level;
    }
  }

  get slots(): number {
    return this.#levels[0]?.length ?? 0;
  }

  root(): Hash {
    return foldHashes(rangeNodes(0, this.slots).map(({ level, index }) => this.#node(level, index)));
  }

  /** The inclusion proof of a slot. Throws RangeError for a slot that is not in the tree. */
  path(slot: number): Hash[] {
    return inclusionProof(slot, this.slots, (level, index) => this.#node(level, index));
  }

  #node(level: number, index: number): Hash {
    return at(this.#levels[level] ?? [], index);
  }
}

function at(hashes: readonly Hash[], index: number): Hash {
  const hash = hashes[index];
  if (hash === undefined) throw new RangeError(`a level of the heads tree has no node ${index}`);
  return hash;
}
