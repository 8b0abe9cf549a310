import type pg from "pg";
import { keptFrom } from "@/lib/audit-logs/bundle/log-position";
import { originOf, type RangeProof, readRange, readRangeProof } from "@/lib/audit-logs/bundle/range-hashes";
import { type Kept, type ReadEntry, readEntries } from "@/lib/audit-logs/bundle/read-entries";
import { excusedUntil } from "@/lib/audit-logs/check/excused-until";
import { type Filters, hasOnlyRange } from "@/lib/audit-logs/filters";
import type { LogKey } from "@/lib/audit-logs/seal/nodes";
import type { Batch, OmittedRange } from "@/lib/destinations/batches/batch";
import { OmittedRanges } from "@/lib/destinations/batches/omitted-ranges";
import { takeEntries } from "@/lib/destinations/batches/take-entries";

type Database = Pick<pg.ClientBase, "query">;

/** Maximum number of events in a batch. */
export const MAX_EVENTS = 1_000;
/** Entries that are searched for matching ones at once. */
const SCANNED_ENTRIES = 4_000;

/** How far a destination was sent its log. */
export interface Cursor {
  epoch: number;
  /** Everything before this index was sent, or was said to be left out. */
  next: number;
  /** The entries from `next` up to this one do not match the filters; the next batch says so. */
  scanned: number;
}

interface BatchQuery {
  organizationId: string;
  filters: Filters;
  kept: Kept;
  maxEvents: number;
  needsProof: boolean;
  /** Where an earlier attempt's batch ended: its repetition has the same entries. */
  until: number | null;
}

/** What follows a cursor. */
export interface Next {
  /** Null if there is nothing to send up to the new cursor. */
  batch: Batch | null;
  /** The cursor once the batch was sent. */
  cursor: Cursor;
  /** Entries that retention deleted before they could be sent. */
  expired: number;
}

/** The next batch of a log, or how far nothing of it matches. Null at the end of what is signed. */
export async function readBatch(database: Database, query: BatchQuery, cursor: Cursor): Promise<Next | null> {
  const { organizationId, filters } = query;
  const { epoch } = cursor;
  const kept = await keptFrom(database, organizationId, { epoch, index: cursor.scanned });
  if (kept === null) return null;
  // A restored backup may have closed the epoch in front of what was sent.
  const closed = kept.isClosed ? kept.end : Number.MAX_SAFE_INTEGER;
  const [next, scanned] = [Math.min(cursor.next, closed), Math.min(cursor.scanned, closed)];
  if (scanned >= kept.end && !kept.isClosed) return null;
  if (scanned >= kept.end && next >= scanned) {
    return { batch: null, cursor: { epoch: epoch + 1, next: 0, scanned: 0 }, expired: 0 };
  }
  const log: LogKey = { organization_id: organizationId, epoch };
  const omitted = new OmittedRanges();
  const known = await readRange(database, log, next, scanned);
  omitted.addRange("filter", { first: next, end: scanned, range: known });
  const first = Math.min(kept.first ?? kept.end, kept.end);
  if (first > scanned) {
    omitted.addRange("expired", { first: scanned, end: first, range: await readRange(database, log, scanned, first) });
  }
  const from = Math.max(first, scanned);
  const size = hasOnlyRange(filters) ? query.maxEvents : SCANNED_ENTRIES;
  const most = Math.min(kept.end, query.until !== null && query.until > from ? query.until : kept.end);
  const read =
    from >= most ? [] : await excused(organizationId, await readEntries(log, rangeOf(from, size, most, query)));
  const { events, end } = takeEntries(read, from, query.maxEvents, omitted);
  if (end === from && read.length === 0 && from < kept.end) throw new Error(`the seal of entry ${from} is missing`);
  // Entries that do not match are reported with the next event, or when the epoch ends.
  const tail = omitted.last?.end === end && omitted.last.reason === "filter" ? omitted.last : undefined;
  const isWaiting = tail !== undefined && !(kept.isClosed && end >= kept.end);
  const sentEnd = isWaiting ? tail.first : end;
  if (isWaiting) omitted.drop();
  const after = { epoch, next: sentEnd, scanned: end };
  if (sentEnd === next) return { batch: null, cursor: after, expired: 0 };
  const range = { first: next, end: sentEnd };
  const { ranges, proof } = query.needsProof
    ? await prove(database, log, range, omitted.toJSON())
    : { ranges: omitted.toJSON(), proof: null };
  const batch: Batch = {
    origin: (await originOf(database, log)) ?? "",
    epoch,
    ...range,
    events,
    omitted: ranges,
    proof,
  };
  const expired = ranges.filter(({ reason }) => reason === "expired");
  return { batch, cursor: after, expired: expired.reduce((count, { first, end }) => count + end - first, 0) };
}

/** The entries, as far as retention under an earlier plan excuses what is absent. That takes long to read, and only if something is. */
async function excused(organizationId: string, entries: ReadEntry[]): Promise<ReadEntry[]> {
  if (!entries.some(({ omitted }) => omitted === "missing")) return entries;
  const until = await excusedUntil(organizationId);
  return entries.map((entry) => {
    return entry.omitted === "missing" && entry.time <= until ? { ...entry, omitted: "expired" } : entry;
  });
}

function rangeOf(first: number, size: number, end: number, { filters, kept }: BatchQuery) {
  return { first, end: Math.min(first + size, end), filters, kept };
}

/**
 * The proof of a batch. Where hashes that it needs have been deleted, it begins behind the ranges that are omitted at the front, and
 * these have no hashes then.
 */
async function prove(
  database: Database,
  log: LogKey,
  { first, end }: { first: number; end: number },
  omitted: OmittedRange[],
): Promise<{ ranges: OmittedRange[]; proof: RangeProof }> {
  const ranges = [...omitted];
  let from = first;
  for (const [at, range] of omitted.entries()) {
    if (range.first !== from) break;
    const proof = range.hashes === null ? null : await readRangeProof(database, log, { from, end });
    if (proof !== null) return { ranges, proof };
    ranges[at] = { ...range, hashes: null };
    from = range.end;
  }
  const proof = await readRangeProof(database, log, { from, end });
  if (proof === null) throw new Error(`nothing proves the entries from ${from}`);
  return { ranges, proof };
}
