import { keptFrom, type LogPosition } from "@/lib/audit-logs/bundle/log-position";
import type { ProvenEvent } from "@/lib/audit-logs/bundle/proven-event";
import { readEntries } from "@/lib/audit-logs/bundle/read-entries";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { type Filters, hasOnlyRange } from "@/lib/audit-logs/filters";
import type { Scope } from "@/lib/audit-logs/scope/scope";
import { auditPool } from "@/lib/db/audit";

/** Entries per step of a search for matching entries. */
const SCANNED_ENTRIES = 4_000;
/** Milliseconds after which a search returns the results so far. */
const SEARCH_TIMEOUT_MS = 2_000;

/** An event with its place in the sealed log. */
export type SealedEvent = AuditEvent & { seal: NonNullable<AuditEvent["seal"]> };

interface SealedEvents {
  items: SealedEvent[];
  /** Where to go on. */
  place: LogPosition;
  /** Whether to continue immediately, because there are more entries or the search took too long. */
  hasMore: boolean;
}

/**
 * The next events that signed checkpoints cover and the filters match, in the order of their indexes; at the end of an epoch, those of
 * the next.
 */
export async function readSealedEvents(
  scope: Scope,
  { limit, filters }: { limit: number; filters: Filters },
  from: LogPosition,
): Promise<SealedEvents> {
  const { organizationId } = scope;
  const items: SealedEvent[] = [];
  const end = performance.now() + SEARCH_TIMEOUT_MS;
  let place = from;
  let hasMore = false;
  while (!hasMore) {
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
    const read = await readEntries(log, range);
    if (read.length === 0) throw new Error(`the seal of entry ${first} is missing`);
    for (const { index, event } of read) {
      place = { epoch: place.epoch, index: index + 1 };
      if (event !== undefined) items.push(listed(event));
      if (items.length === limit) break;
    }
    hasMore = items.length === limit || performance.now() > end;
  }
  return { items, place, hasMore };
}

/** An event as lists give it. */
function listed({ seal: { index, epoch, redaction }, ...event }: ProvenEvent): SealedEvent {
  return { ...event, seal: { index, epoch, redaction } };
}
