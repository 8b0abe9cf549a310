import { firstSealedSince } from "@/lib/audit-logs/bundle/log-position";
import { beginAt, checkNext, deletedEarly, oldestIndex, otherRoot } from "@/lib/audit-logs/check/check-entries";
import { epochsOf } from "@/lib/audit-logs/check/check-log";
import { readSignedRoots } from "@/lib/audit-logs/check/signed-roots";
import type { Wrong } from "@/lib/audit-logs/check/wrong";
import { type LogKey, StoredNodes } from "@/lib/audit-logs/seal/nodes";
import { treeOf } from "@/lib/audit-logs/seal/seal-rows";
import { auditPool } from "@/lib/db/audit";
import { CompactRange, rangeNodes } from "@/lib/sealed-log/tree";
import { DAY_MS } from "@/lib/time/units";

/** The result for one day. */
interface DayResult {
  /** Number of signed entries that were sealed on this day and are kept. */
  entries: number;
  /** Whether the log has older entries than those whose seals are kept, and none of this day is. */
  isExpired: boolean;
  wrong: Wrong | null;
}

/**
 * Checks only the entries of an organization's log that were sealed on a day in UTC (`start` in Unix milliseconds): their events, and
 * that they are under a signed checkpoint, with the stored hashes of the entries around them. Changes nothing.
 */
export async function checkDay(organizationId: string, start: number): Promise<DayResult> {
  const result: DayResult = { entries: 0, isExpired: false, wrong: null };
  for (const epoch of await epochsOf(organizationId)) {
    const { entries, isExpired, wrong } = await checkDayOf({ organization_id: organizationId, epoch }, start);
    result.entries += entries;
    result.isExpired ||= isExpired;
    result.wrong ??= wrong;
  }
  return { ...result, isExpired: result.isExpired && result.entries === 0 };
}

async function checkDayOf(log: LogKey, start: number): Promise<DayResult> {
  const failed = (wrong: Wrong) => ({ entries: 0, isExpired: false, wrong });
  const roots = await readSignedRoots(log);
  if (!Array.isArray(roots)) return failed(roots);
  const size = roots.at(-1)?.size ?? 0;
  const oldest = Math.min(size, (await oldestIndex(auditPool(), log)) ?? size);
  const { before, after } = await readNeighbours(log, start);
  const [first, end] = [Math.min(size, before ?? oldest), Math.min(size, after ?? size)];
  const early = before === null ? await deletedEarly(log, roots, oldest) : null;
  if (early !== null) return failed(early);
  if (first >= end) return { entries: 0, isExpired: before === null && oldest > 0, wrong: null };
  const rootAt = new Map(roots.map((signed) => [signed.size, signed.root]));
  const begun = await beginAt(log, rootAt, first);
  if ("message" in begun) return failed(begun);
  let { agreed } = begun;
  let excused = 0;
  const range = treeOf({ size: first, edge: Buffer.from(begun.edge, "base64") });
  while (range.end < end) {
    const page = await checkNext(log, { range, rootAt, agreed, excused, size: end });
    if (page === null) return checkDayOf(log, start);
    if (page.wrong !== null) return failed(page.wrong);
    ({ agreed, excused } = page);
  }
  // The checkpoint that covers the day may have been signed after its end.
  const covering = roots.find((signed) => signed.size >= end)?.size ?? end;
  const wrong = covering === end ? null : await differsAt(log, range, { agreed, covering, root: rootAt.get(covering) });
  return { entries: end - first, isExpired: false, wrong };
}

/** The index after the last kept entry that was sealed before the day, and the first one sealed after it. Nulls if there is none. */
async function readNeighbours(log: LogKey, start: number): Promise<{ before: number | null; after: number | null }> {
  const first = await firstSealedSince(auditPool(), log, new Date(start));
  const before = await endBefore(log, first ?? Number.MAX_SAFE_INTEGER);
  return { before, after: await firstSealedSince(auditPool(), log, new Date(start + DAY_MS)) };
}

/** The index after the last kept entry in front of another one; null if there is none. */
async function endBefore({ organization_id, epoch }: LogKey, index: number): Promise<number | null> {
  const { rows } = await auditPool().query<{ end: number }>(
    `SELECT (first_index + cardinality(ids))::float8 AS end FROM audit_seals
     WHERE organization_id = $1 AND epoch = $2 AND first_index < $3 ORDER BY first_index DESC LIMIT 1`,
    [organization_id, epoch, index],
  );
  return rows[0]?.end ?? null;
}

/** Whether the entries of `range` and the stored hashes up to `covering` are not those of the checkpoint of that size. */
async function differsAt(
  log: LogKey,
  range: CompactRange,
  { agreed, covering, root }: { agreed: number; covering: number; root: Uint8Array | undefined },
): Promise<Wrong | null> {
  const nodes = rangeNodes(range.end, covering);
  try {
    const stored = await StoredNodes.read(auditPool(), log, nodes);
    const hashes = nodes.map(({ level, index }) => stored.at(level, index));
    const tree = range.clone();
    tree.merge(CompactRange.of(range.end, covering, hashes));
    return root !== undefined && Buffer.compare(tree.root(), root) === 0 ? null : otherRoot(agreed, covering);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return {
      index: range.end,
      message: `The stored hashes of the entries ${range.end} to ${covering - 1} are missing.`,
    };
  }
}
