import type pg from "pg";
import { excusedUntil } from "@/lib/audit-logs/check/excused-until";
import { type Entry, judgeEvent } from "@/lib/audit-logs/check/judge-event";
import { judgeRedactions } from "@/lib/audit-logs/check/judge-redactions";
import { readSignedRoots, type SignedRoot } from "@/lib/audit-logs/check/signed-roots";
import type { Wrong } from "@/lib/audit-logs/check/wrong";
import { commitStored, type StoredEvent } from "@/lib/audit-logs/seal/commit-events";
import { type LogKey, StoredNodes } from "@/lib/audit-logs/seal/nodes";
import { cut, NODE_LEVELS, readTogether, treeOf } from "@/lib/audit-logs/seal/seal-rows";
import { readRedactions, type StoredRedaction } from "@/lib/audit-logs/seal/stored-redactions";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { idTime } from "@/lib/ids";
import { eventLeafHash, NONCE_BYTES } from "@/lib/sealed-log/leaf";
import { CompactRange, HASH_BYTES, type Hash, rangeNodes } from "@/lib/sealed-log/tree";
import { DAY_MS } from "@/lib/time/units";

/** The rows of a page begin within this many entries; a row of a quiet log has one. Their bodies are hashed in one statement. */
const PAGE_ENTRIES = 1_024;
/** An event may be redacted or moved at any moment: a page is what one snapshot has. */
const ONE_SNAPSHOT = { readOnly: true, settings: { transaction_isolation: "repeatable read" } };

type Database = Pick<pg.ClientBase, "query">;

/** The progress of a check: the tree over the entries before `next`, and the size of the last checkpoint that matched it. */
export interface Position {
  next: number;
  /** Hashes of the tree's right edge, as base64. */
  edge: string;
  agreed: number;
}

/** The result for one log: done, or the position at which to continue; null: at the oldest entry. */
interface EntriesResult {
  /** Number of signed entries. */
  size: number;
  isDone: boolean;
  position: Position | null;
  wrong: Wrong | null;
}

/**
 * Compares every event under the signed checkpoints of a log with its commitment, the commitments with the stored hashes, and those with
 * each kept checkpoint. Goes on from `position`; returns where it is when `stop` ends it. Stops at the first wrong entry.
 */
export async function checkEntries(
  log: LogKey,
  position: Position | null,
  stop: () => boolean,
): Promise<EntriesResult> {
  const roots = await readSignedRoots(log);
  if (!Array.isArray(roots)) return { size: 0, isDone: true, position: null, wrong: roots };
  const size = roots.at(-1)?.size ?? 0;
  const rootAt = new Map(roots.map((signed) => [signed.size, signed.root]));
  const done = (wrong: Wrong | null) => ({ size, isDone: true, position: null, wrong });
  const begun = position ?? (await begin(log, roots, rootAt, size));
  if ("message" in begun) return done(begun);
  let { agreed } = begun;
  let excused = 0;
  const range = treeOf({ size: begun.next, edge: Buffer.from(begun.edge, "base64") });
  while (range.end < size) {
    const edge = Buffer.concat(range.hashes).toString("base64");
    if (stop()) return { size, isDone: false, position: { next: range.end, edge, agreed }, wrong: null };
    const page = await checkNext(log, { range, rootAt, agreed, excused, size });
    if (page === null) return { size, isDone: false, position: null, wrong: null };
    if (page.wrong !== null) return done(page.wrong);
    ({ agreed, excused } = page);
  }
  return done(null);
}

/** The first entry whose seal is kept; null if none is. */
export async function oldestIndex(database: Database, { organization_id, epoch }: LogKey): Promise<number | null> {
  const { rows } = await database.query<{ index: number }>(
    `SELECT first_index::float8 AS index FROM audit_seals WHERE organization_id = $1 AND epoch = $2 ORDER BY first_index LIMIT 1`,
    [organization_id, epoch],
  );
  return rows[0]?.index ?? null;
}

/** Begins at the oldest kept seal, with the stored hashes of what is in front of it. What is wrong if those do not fit. */
async function begin(
  log: LogKey,
  roots: readonly SignedRoot[],
  rootAt: RootAt,
  size: number,
): Promise<Position | Wrong> {
  const next = Math.min(size, (await oldestIndex(auditPool(), log)) ?? size);
  return (await deletedEarly(log, roots, next)) ?? beginAt(log, rootAt, next);
}

/** The position in front of an entry, with the stored hashes of those before it. What is wrong if these do not fit. */
export async function beginAt(log: LogKey, rootAt: RootAt, next: number): Promise<Position | Wrong> {
  if (next === 0) return { next, edge: "", agreed: 0 };
  const nodes = rangeNodes(0, next);
  try {
    const stored = await StoredNodes.read(auditPool(), log, nodes);
    const range = CompactRange.of(
      0,
      next,
      nodes.map(({ level, index }) => stored.at(level, index)),
    );
    const agreed = agreeingSize(range, rootAt, 0);
    if (agreed === null) return otherRoot(0, next);
    return { next, edge: Buffer.concat(range.hashes).toString("base64"), agreed };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { index: 0, message: `The stored hashes of the entries before ${next} are missing.` };
  }
}

/** Whether seals before `next` were deleted too early: behind the last checkpoint of the days whose seals have expired, all are kept. */
export async function deletedEarly(log: LogKey, roots: readonly SignedRoot[], next: number): Promise<Wrong | null> {
  if (next === 0) return null;
  const excused = await excusedUntil(log.organization_id);
  const keptSince = excused - (excused % DAY_MS) - DAY_MS;
  const expired = roots.filter(({ signedAt }) => signedAt !== null && signedAt < keptSince).at(-1)?.size ?? 0;
  if (next <= expired) return null;
  return {
    index: expired,
    message: `The seals of the entries ${expired} to ${next - 1} were deleted before they expired.`,
  };
}

interface SealsRow {
  first_index: number;
  ids: string[];
  nonces: Buffer;
  commitments: Buffer;
  min_at: Date;
  max_at: Date;
}

async function readRows(
  database: Database,
  { organization_id, epoch }: LogKey,
  from: number,
  to: number,
): Promise<SealsRow[]> {
  const { rows } = await database.query<SealsRow>(
    `SELECT first_index::float8 AS first_index, ids, nonces, commitments, min_at, max_at FROM audit_seals
     WHERE organization_id = $1 AND epoch = $2 AND first_index >= $3 AND first_index < $4 ORDER BY first_index`,
    [organization_id, epoch, from, Math.min(to, from + PAGE_ENTRIES)],
  );
  return readTogether(rows);
}

/** A fault of the entries [index, end). Of several, the fault that ends first is the cause. */
interface Candidate extends Wrong {
  index: number;
  end: number;
}

/** The signed roots by size. */
type RootAt = ReadonlyMap<number, Hash>;

interface Walk {
  range: CompactRange;
  rootAt: RootAt;
  agreed: number;
  /** The time up to which events may have expired (Unix milliseconds), as it was last read; 0 before. */
  excused: number;
  size: number;
}

/** What is wrong in a page of entries, and what the next page needs to know. */
type Page = Pick<Walk, "agreed" | "excused"> & { wrong: Wrong | null };

/** Appends the next entries before `size` to the tree, and compares them. Null if their seals have expired meanwhile. */
export function checkNext(log: LogKey, walk: Walk): Promise<Page | null> {
  return withTransaction(auditPool(), (client) => checkPage(client, log, walk), ONE_SNAPSHOT);
}

async function checkPage(
  client: pg.PoolClient,
  log: LogKey,
  { range, rootAt, agreed, excused, size }: Walk,
): Promise<Page | null> {
  const first = range.end;
  const rows = await readRows(client, log, first, size);
  const oldest = await oldestIndex(client, log);
  if (oldest === null || oldest > first) return null;
  const last = rows.at(-1);
  const redactions = await readRedactions(
    client,
    log,
    first,
    last === undefined ? first : last.first_index + last.ids.length,
  );
  const { entries, broken } = entriesOf(rows, first, redactions);
  const found: Candidate[] = broken === null ? [] : [broken];
  const nodes: { level: number; position: number; hash: Hash; end: number }[] = [];
  let isAgreeing = true;
  for (const { index, id, commitment } of entries.filter(({ index }) => index < size)) {
    range.append(eventLeafHash(id, commitment), (level, position, hash) => {
      if (level > 0 && level % NODE_LEVELS === 0) nodes.push({ level, position, hash, end: index + 1 });
    });
    const now: number | null = isAgreeing ? agreeingSize(range, rootAt, agreed) : agreed;
    isAgreeing &&= now !== null;
    if (now === null) found.push({ ...otherRoot(agreed, range.end), end: range.end });
    else agreed = now;
  }
  found.push(...(await differingNodes(client, log, nodes)));
  const stored = await commitStored(
    client,
    entries.map((entry) => ({ ...entry, organization_id: log.organization_id })),
  );
  let faults = await faultsOf(client, log, { entries, stored, excused });
  // It takes long to read, and what was excused once stays so: it is only read again where something is not excused.
  if (faults.length > 0) {
    excused = await excusedUntil(log.organization_id);
    faults = await faultsOf(client, log, { entries, stored, excused });
  }
  found.push(...faults);
  const [wrong = null] = found.sort((one, other) => one.end - other.end || other.index - one.index);
  return { agreed, excused, wrong: wrong && { index: wrong.index, message: wrong.message } };
}

/** The faults of entries by themselves. Those up to `excused` may have expired, and so may the events that redacted them. */
async function faultsOf(
  client: pg.PoolClient,
  { organization_id }: LogKey,
  { entries, stored, excused }: { entries: readonly Entry[]; stored: readonly StoredEvent[][]; excused: number },
): Promise<Candidate[]> {
  const changed = entries.flatMap((entry, at) => {
    const message = judgeEvent(entry, stored[at] ?? [], excused);
    return message === null ? [] : [{ index: entry.index, message }];
  });
  const illegal = await judgeRedactions(client, organization_id, entries, excused);
  return [...changed, ...illegal].map((each) => ({ ...each, end: each.index + 1 }));
}

/** The entries of rows that follow each other from `first` on, up to a row that is missing or damaged. */
function entriesOf(
  rows: readonly SealsRow[],
  first: number,
  redactions: ReadonlyMap<number, StoredRedaction>,
): { entries: Entry[]; broken: Candidate | null } {
  const entries: Entry[] = [];
  const broken = (index: number, what: string) => ({
    index,
    end: index + 1,
    message: `The seals from entry ${index} on ${what}.`,
  });
  if (rows.length === 0) return { entries, broken: broken(first, "are missing") };
  for (const { first_index, ids, nonces, commitments, min_at, max_at } of rows) {
    const next = first + entries.length;
    if (first_index !== next) return { entries, broken: broken(next, "are missing") };
    const [nonce, commitment] = [cut(nonces, NONCE_BYTES), cut(commitments, HASH_BYTES)];
    const isWhole =
      ids.length > 0 && nonces.length === ids.length * NONCE_BYTES && commitments.length === ids.length * HASH_BYTES;
    const isFiled = idTime(ids[0] ?? "") === min_at.getTime() && idTime(ids.at(-1) ?? "") === max_at.getTime();
    if (!isWhole || !isFiled) return { entries, broken: broken(next, "are damaged") };
    for (const [at, id] of ids.entries()) {
      const index = next + at;
      const own = redactions.get(index);
      entries.push({
        ...{ index, id, nonce: nonce[at] ?? nonces, commitment: commitment[at] ?? commitments },
        redacted: own?.event_id === id ? own : undefined,
      });
    }
  }
  return { entries, broken: null };
}

/** The size up to which checkpoints agree with the tree; null if one of its size has another root. */
function agreeingSize(range: CompactRange, rootAt: RootAt, agreed: number): number | null {
  const signed = rootAt.get(range.end);
  if (signed === undefined) return agreed;
  return Buffer.compare(signed, range.root()) === 0 ? range.end : null;
}

/** A fault: a checkpoint was signed for other entries. */
export function otherRoot(from: number, to: number): { index: number; message: string } {
  return {
    index: from,
    message: `The entries ${from} to ${to - 1} are not those for which the checkpoint of ${to} entries was signed.`,
  };
}

/** A fault: stored hashes do not match their entries, or are missing. */
async function differingNodes(
  database: Database,
  { organization_id, epoch }: LogKey,
  nodes: readonly { level: number; position: number; hash: Hash; end: number }[],
): Promise<Candidate[]> {
  if (nodes.length === 0) return [];
  const { rows } = await database.query<{ hash: Buffer | null }>(
    `SELECT n.hash FROM unnest($3::smallint[], $4::bigint[]) WITH ORDINALITY AS due (level, position, number)
     LEFT JOIN audit_seal_nodes n ON organization_id = $1 AND epoch = $2 AND n.level = due.level AND n.position = due.position
     ORDER BY number`,
    [organization_id, epoch, nodes.map(({ level }) => level), nodes.map(({ position }) => position)],
  );
  return nodes.flatMap(({ level, position, hash, end }, at) => {
    const stored = rows[at]?.hash ?? null;
    if (stored !== null && Buffer.compare(stored, hash) === 0) return [];
    const index = position * 2 ** level;
    return { index, end, message: `The stored hash over the entries ${index} to ${end - 1} is not theirs.` };
  });
}
