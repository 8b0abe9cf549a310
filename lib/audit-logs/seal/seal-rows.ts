import { SPAN_MS } from "@/lib/audit-logs/partitions/spans";
import type { SealedEvent } from "@/lib/audit-logs/seal/commit-events";
import { ROW_SPAN_MS } from "@/lib/audit-logs/seal/find-seals";
import { idTime } from "@/lib/ids";
import { eventLeafHash, MISSING } from "@/lib/sealed-log/leaf";
import { CompactRange, HASH_BYTES, type Hash } from "@/lib/sealed-log/tree";

/** Events per row, so that the ids of a row are read in one piece. */
const ROW_EVENTS = 64;
/** Levels of the nodes that are stored are multiples of this. */
export const NODE_LEVELS = 8;

/** A complete subtree of a log. */
interface Node {
  level: number;
  position: number;
  hash: Uint8Array;
}

/** Consecutive events of a log that are stored in one row. */
interface SealRow {
  firstIndex: number;
  events: readonly SealedEvent[];
}

/** The tree of a log: the number of its events, and the hashes of its right edge. */
export interface Tree {
  size: number;
  edge: Buffer;
}

/** The first of these rows, at least one: those that are read together, because their events occurred within `SPAN_MS`. */
export function readTogether<Row extends { ids: readonly string[] }>(rows: readonly Row[]): Row[] {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  const end = rows.findIndex(({ ids }, at) => {
    low = Math.min(low, idTime(ids[0] ?? ""));
    high = Math.max(high, idTime(ids.at(-1) ?? ""));
    return at > 0 && high - low > SPAN_MS;
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}

/** Splits events, in the order of their indexes, into rows whose events occurred within `ROW_SPAN_MS`. */
export function splitIntoRows(firstIndex: number, events: readonly SealedEvent[]): SealRow[] {
  const rows: { firstIndex: number; events: SealedEvent[]; until: number }[] = [];
  for (const [position, event] of events.entries()) {
    const row = rows.at(-1);
    const at = idTime(event.id);
    if (row !== undefined && row.events.length < ROW_EVENTS && at <= row.until) row.events.push(event);
    else rows.push({ firstIndex: firstIndex + position, events: [event], until: at + ROW_SPAN_MS });
  }
  return rows;
}

/** The tree as a compact range. Throws RangeError if `edge` is damaged. */
export function treeOf({ size, edge }: Tree): CompactRange {
  return CompactRange.of(0, size, cut(edge, HASH_BYTES));
}

/** Consecutive pieces of `size` bytes each. */
export function cut(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

/** The leaf hashes of a stored row. */
export function leavesOf({ ids, commitments }: { ids: readonly string[]; commitments: Buffer }): Hash[] {
  const each = cut(commitments, HASH_BYTES);
  return ids.map((id, at) => eventLeafHash(id, each[at] ?? MISSING));
}

/** Appends events to a tree. Returns the tree afterwards and the completed subtrees to store. Throws RangeError like `treeOf`. */
export function appendToTree(tree: Tree, events: readonly SealedEvent[]): Tree & { nodes: Node[] } {
  const range = treeOf(tree);
  const nodes: Node[] = [];
  for (const { id, commitment } of events) {
    range.append(eventLeafHash(id, commitment), (level, position, hash) => {
      if (level > 0 && level % NODE_LEVELS === 0) nodes.push({ level, position, hash });
    });
  }
  return { size: range.end, edge: Buffer.concat(range.hashes), nodes };
}
