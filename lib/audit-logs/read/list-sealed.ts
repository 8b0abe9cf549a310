import { type LogPosition, positionOfEvents, signedEnd } from "@/lib/audit-logs/bundle/log-position";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Filters } from "@/lib/audit-logs/filters";
import { readSealedEvents } from "@/lib/audit-logs/read/sealed-events";
import { type Scope, startOf } from "@/lib/audit-logs/scope/scope";
import { auditPool } from "@/lib/db/audit";
import { decodePosition, encodeCursor } from "@/lib/http/cursor";
import type { Page } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";

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
  const { limit, filters, after_index, epoch } = query;
  for (const name of ["since", "until"] as const) {
    if (filters[name] !== undefined) throw invalid(name, "cannot be combined with order=sealed");
  }
  // Without a place, as earlier releases bound cursors.
  const start = after_index === undefined && epoch === undefined ? [] : [after_index, epoch];
  const bound = ["sealed", filters, ...start];
  const from = await firstPlace(scope, query, bound);
  if (from === null) return { items: [], nextCursor: null };
  const { items, place, hasMore } = await readSealedEvents(scope, { limit, filters }, from);
  return { items, nextCursor: hasMore ? encodeCursor([`${place.epoch}-${place.index}`], bound) : null };
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
