import { keptFrom, type LogPosition, positionOfEvents, signedEnd } from "@/lib/audit-logs/bundle/log-position";
import type { ProvenEvent } from "@/lib/audit-logs/bundle/proven-event";
import { readEntries } from "@/lib/audit-logs/bundle/read-entries";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { type Filters, hasOnlyRange } from "@/lib/audit-logs/filters";
import { type Scope, startOf } from "@/lib/audit-logs/scope";
import { auditPool } from "@/lib/db/audit";
import { decodePosition, encodeCursor } from "@/lib/http/cursor";
import type { Page } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";

/** Entries that are searched for matching ones at once. */
const SCANNED_ENTRIES = 4_000;
/** Milliseconds after which a search returns what it has found. */
const SEARCH_TIMEOUT_MS = 2_000;

interface SealedQuery {
  limit: number;
  cursor: string | undefined;
  after_index: number | undefined;
  epoch: number | undefined;
  filters: Filters;
}

/**
 * The events that signed checkpoints cover and the filters match, in the order of their indexes; at the end of an epoch, those of the next.
 * Without a place, from the oldest retained event on. Throws 400.
 */
export async function listSealed(scope: Scope, query: SealedQuery): Promise<Page<AuditEvent>> {
  const { limit, filters } = query;
  const { organizationId } = scope;
  for (const name of ["since", "until"] as const) {
    if (filters[name] !== undefined) throw invalid(name, "cannot be combined with order=sealed");
  }
  const bound = ["sealed", filters];
  const items: AuditEvent[] = [];
  const end = performance.now() + SEARCH_TIMEOUT_MS;
  let place = await firstPlace(scope, query, bound);
  let hasMore = false;
  while (!hasMore && place !== null) {
    const kept = await keptFrom(auditPool(), organizationId, place);
    if (kept === null || (place.index >= kept.end && !kept.isClosed)) break;
    const first: number = Math.min(kept.first ?? kept.end, kept.end);
    if (first >= kept.end) {
      place = { epoch: place.epoch, index: kept.end };
      if (!kept.isClosed) break;
      place = { epoch: place.epoch + 1, index: 0 };
      continue;
    }
    const size = hasOnlyRange(filters) ? limit - items.length : SCANNED_ENTRIES;
    const log = { organization_id: organizationId, epoch: place.epoch };
    const range = { first, end: Math.min(first + size, kept.end), filters, kept: scope };
    const read = await readEntries(auditPool(), log, range);
    if (read.length === 0) throw new Error(`the seal of entry ${first} is missing`);
    for (const { index, event } of read) {
      place = { epoch: place.epoch, index: index + 1 };
      if (event !== undefined) items.push(listed(event));
      if (items.length === limit) break;
    }
    hasMore = items.length === limit || performance.now() > end;
  }
  return {
    items,
    nextCursor: hasMore && place !== null ? encodeCursor([`${place.epoch}-${place.index}`], bound) : null,
  };
}

/** Where to begin. Null while nothing is sealed. */
async function firstPlace(scope: Scope, query: SealedQuery, bound: unknown): Promise<LogPosition | null> {
  const { cursor, after_index: after, epoch } = query;
  const { organizationId } = scope;
  if (cursor !== undefined) {
    const [text = ""] = decodePosition(cursor, bound, ["text"]);
    const [, inEpoch, index] = /^(\d{1,9})-(\d{1,15})$/.exec(text) ?? [];
    if (inEpoch === undefined || index === undefined) throw invalid("cursor", "is not a valid cursor");
    return { epoch: Number(inEpoch), index: Number(index) };
  }
  const end = await signedEnd(auditPool(), organizationId);
  if (end === null) return null;
  if (after !== undefined) return { epoch: epoch ?? end.epoch, index: after + 1 };
  if (epoch !== undefined) return { epoch, index: 0 };
  return positionOfEvents(auditPool(), organizationId, new Date(startOf(scope)));
}

/** An event as lists give it. */
function listed({ seal: { index, epoch, redaction }, ...event }: ProvenEvent): AuditEvent {
  return { ...event, seal: { index, epoch, redaction } };
}
