import { setTimeout as delay } from "node:timers/promises";
import { type LogPosition, positionOfEvents, signedEnd } from "@/lib/audit-logs/bundle/log-position";
import type { Filters } from "@/lib/audit-logs/filters";
import { PAGE_SIZE } from "@/lib/audit-logs/read/new-events";
import { readSealedEvents, type SealedEvent } from "@/lib/audit-logs/read/sealed-events";
import { scopeOf, startOf } from "@/lib/audit-logs/scope/scope";
import { auditPool } from "@/lib/db/audit";
import { invalid } from "@/lib/http/errors";

/** How often the size of the last signed checkpoint is read, in milliseconds. */
const POLL_MS = 1_000;
/** The id in front of the oldest retained event. */
const OLDEST = "0";

/** Where the messages of a stream come from. */
export interface EventSource {
  /** The first message of a stream that does not resume: an id to resume from. Null if it resumes. */
  opening: string | null;
  /** The next messages; waits a while if there are none. */
  next(ended: AbortSignal): Promise<string[]>;
}

/**
 * The events of the sealed log in the order of their indexes. `last` is the id to resume after; without it, events that are signed
 * from now on. Throws 400.
 */
export async function sealedSource(
  organizationId: string,
  filters: Filters,
  last: string | undefined,
): Promise<EventSource> {
  for (const name of ["since", "until"] as const) {
    if (filters[name] !== undefined) throw invalid(name, "cannot be combined with order=sealed");
  }
  let place = await placeAfter(organizationId, last);
  let hasMore = last !== undefined;
  return {
    opening: last === undefined ? `id: ${idOf(place)}\n\n` : null,
    async next(ended) {
      if (!hasMore) {
        await delay(POLL_MS, undefined, { signal: ended }).catch(() => {});
        if (ended.aborted) return [];
        const end = await signedEnd(auditPool(), organizationId);
        if (end === null || (end.epoch === place?.epoch && end.index <= place.index)) return [];
        place ??= { epoch: 1, index: 0 };
      }
      if (place === null) {
        hasMore = false;
        return [];
      }
      const scope = await scopeOf(organizationId);
      const read = await readSealedEvents(scope, { limit: PAGE_SIZE, filters }, place);
      const { items } = read;
      const isMoved = read.place.epoch !== place.epoch || read.place.index !== place.index;
      [place, hasMore] = [read.place, read.hasMore];
      // Behind entries that do not match, so that a client that resumes does not search through them again.
      const isBehind = isMoved && items.at(-1)?.seal.index !== place.index - 1;
      return [...items.map(messageOf), ...(isBehind ? [`id: ${idOf(place)}\n\n`] : [])];
    },
  };
}

/** The id of a place: that of the entry in front of it. */
function idOf(place: LogPosition | null): string {
  return place === null || place.index === 0 ? OLDEST : `${place.epoch}-${place.index - 1}`;
}

function messageOf(event: SealedEvent): string {
  const { epoch, index } = event.seal;
  return `id: ${epoch}-${index}\nevent: audit_event\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Null while nothing is sealed. */
async function placeAfter(organizationId: string, last: string | undefined): Promise<LogPosition | null> {
  const end = await signedEnd(auditPool(), organizationId);
  if (last === undefined) return end;
  if (last === OLDEST)
    return positionOfEvents(auditPool(), organizationId, new Date(startOf(await scopeOf(organizationId))));
  const [, epoch, index] = /^([1-9]\d{0,8})-(0|[1-9]\d{0,14})$/.exec(last) ?? [];
  const place = { epoch: Number(epoch), index: Number(index) + 1 };
  const isKnown = index !== undefined && end !== null && place.epoch <= end.epoch;
  if (!isKnown || (place.epoch === end.epoch && place.index > end.index)) {
    throw invalid("Last-Event-ID", "is not the epoch and the index of a signed entry");
  }
  return place;
}
