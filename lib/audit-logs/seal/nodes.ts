import type pg from "pg";
import { leavesOf, NODE_LEVELS, type Tree, treeOf } from "@/lib/audit-logs/seal/seal-rows";
import { foldHashes, type Hash, nodeHash, rangeNodes, type TreeNode } from "@/lib/sealed-log/tree";

type Database = Pick<pg.ClientBase, "query">;

/** The log of an organization in one epoch. */
export interface LogKey {
  organization_id: string;
  epoch: number;
}

/** Leaves of one block: the smallest subtrees that are always stored. */
const BLOCK = 2 ** NODE_LEVELS;

const nameOf = (level: number, index: number) => `${level} ${index}`;

/** Gives hashes of perfect subtrees of a log: stored ones, or computed from stored ones and seals. */
export class StoredNodes {
  readonly #hashes = new Map<string, Hash>();

  /** Reads what the hashes of these subtrees need: for each at most 128 stored hashes, or the seals of one block of 256 events. */
  static async read(database: Database, log: LogKey, nodes: readonly TreeNode[]): Promise<StoredNodes> {
    const read = new StoredNodes();
    const high = nodes.filter(({ level }) => level >= NODE_LEVELS).map(childrenOf);
    const low = nodes.filter(({ level }) => level < NODE_LEVELS);
    const blocks = [...new Set(low.map(({ level, index }) => Math.floor((index * 2 ** level) / BLOCK)))];
    await Promise.all([
      read.#readStored(database, log, high),
      read.#readStored(database, log, blocks.flatMap(levelsOf)),
      ...blocks.map((block) => read.#readLeaves(database, log, block)),
    ]);
    return read;
  }

  /** The hash of a subtree that was read. Throws RangeError if its seals have been deleted because their events have expired. */
  readonly at = (level: number, index: number): Hash => {
    const known = this.#hashes.get(nameOf(level, index));
    if (known !== undefined) return known;
    if (level === 0) throw new RangeError(`the seal of event ${index} is gone`);
    return nodeHash(this.at(level - 1, 2 * index), this.at(level - 1, 2 * index + 1));
  };

  async #readStored(
    database: Database,
    { organization_id, epoch }: LogKey,
    ranges: readonly NodeRange[],
  ): Promise<void> {
    if (ranges.length === 0) return;
    const { rows } = await database.query<{ level: number; position: number; hash: Buffer }>(
      // With a limit, each range is looked up by the primary key. A join would read all stored hashes, and compare each with every range.
      `SELECT due.level, n.position::float8 AS position, n.hash
       FROM unnest($3::smallint[], $4::bigint[], $5::bigint[]) AS due (level, first, after) CROSS JOIN LATERAL (
         SELECT position, hash FROM audit_seal_nodes WHERE organization_id = $1 AND epoch = $2 AND level = due.level
           AND position >= due.first AND position < due.after LIMIT ${BLOCK}
       ) AS n`,
      [
        organization_id,
        epoch,
        ranges.map(({ level }) => level),
        ranges.map(({ from }) => from),
        ranges.map(({ to }) => to),
      ],
    );
    for (const { level, position, hash } of rows) this.#hashes.set(nameOf(level, position), hash);
  }

  async #readLeaves(database: Database, log: LogKey, block: number): Promise<void> {
    for (const row of await readSeals(database, log, block * BLOCK, (block + 1) * BLOCK)) {
      for (const [at, hash] of leavesOf(row).entries()) this.#hashes.set(nameOf(0, row.first_index + at), hash);
    }
  }
}

/** The nodes [from, to) of a level. */
interface NodeRange {
  level: number;
  from: number;
  to: number;
}

/** The stored nodes below a node: those of the next lower level that is stored. */
function childrenOf({ level, index }: TreeNode): NodeRange {
  const stored = level - (level % NODE_LEVELS);
  const width = 2 ** (level - stored);
  return { level: stored, from: index * width, to: (index + 1) * width };
}

/** The nodes of a block that may have been stored when the seals before them were deleted. */
function levelsOf(block: number): NodeRange[] {
  return Array.from({ length: NODE_LEVELS }, (_, level) => {
    const width = BLOCK / 2 ** level;
    return { level, from: block * width, to: (block + 1) * width };
  });
}

/** The root of the first `size` leaves of a log, whose current tree is `tree`. Null if it cannot be computed any more. */
export async function rootAt(database: Database, log: LogKey, tree: Tree, size: number): Promise<Hash | null> {
  try {
    if (size === tree.size) return treeOf(tree).root();
    const nodes = rangeNodes(0, size);
    const read = await StoredNodes.read(database, log, nodes);
    return foldHashes(nodes.map(({ level, index }) => read.at(level, index)));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

interface StoredSeals {
  first_index: number;
  ids: string[];
  commitments: Buffer;
}

/** The rows of seals that contain the indexes [from, to). */
async function readSeals(
  database: Database,
  { organization_id, epoch }: LogKey,
  from: number,
  to: number,
): Promise<StoredSeals[]> {
  const { rows } = await database.query<StoredSeals>(
    `SELECT first_index::float8 AS first_index, ids, commitments FROM audit_seals
     WHERE organization_id = $1 AND epoch = $2 AND first_index < $4 AND first_index >= coalesce((
       SELECT max(first_index) FROM audit_seals WHERE organization_id = $1 AND epoch = $2 AND first_index <= $3
     ), $3) ORDER BY first_index`,
    [organization_id, epoch, from, to],
  );
  return rows;
}
