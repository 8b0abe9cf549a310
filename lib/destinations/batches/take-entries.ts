import type { ReadEntry } from "@/lib/audit-logs/bundle/read-entries";
import type { SentEvent } from "@/lib/destinations/batches/batch";
import { eventJson } from "@/lib/destinations/batches/event-json";
import type { OmittedRanges } from "@/lib/destinations/batches/omitted-ranges";

/** Maximum size of the JSON of a batch's events, in bytes of UTF-8. */
export const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The events of consecutive entries from the index `from` on, as many as fit into a batch, and at least one. Adds entries without an event
 * to `omitted`. `end` is behind the last entry that was taken. Throws if an entry is missing.
 */
export function takeEntries(
  entries: readonly ReadEntry[],
  from: number,
  maxEvents: number,
  omitted: OmittedRanges,
): { events: SentEvent[]; end: number } {
  const events: SentEvent[] = [];
  let end = from;
  let bytes = 0;
  for (const { index, leaf, event, omitted: reason } of entries) {
    if (index !== end) throw new Error(`the seal of entry ${end} is missing`);
    if (event !== undefined) {
      bytes += Buffer.byteLength(eventJson(event));
      if (events.length > 0 && (bytes > MAX_BYTES || events.length >= maxEvents)) break;
      events.push(event);
    } else omitted.add(reason, index, leaf());
    end = index + 1;
  }
  return { events, end };
}
