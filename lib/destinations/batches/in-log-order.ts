import type { OmittedRange, SentEvent } from "@/lib/destinations/batches/batch";

/** Events and ranges that are not sent, in the order of their indexes. */
export function inLogOrder<Item, Range extends Pick<OmittedRange, "first">>(
  { events, omitted }: { events: readonly SentEvent[]; omitted: readonly Range[] },
  ofEvent: (event: SentEvent) => Item,
  ofRange: (range: Range) => Item,
): Item[] {
  const items: Item[] = [];
  let at = 0;
  for (const event of events) {
    for (let range = omitted[at]; range !== undefined && range.first < event.seal.index; range = omitted[++at]) {
      items.push(ofRange(range));
    }
    items.push(ofEvent(event));
  }
  return [...items, ...omitted.slice(at).map(ofRange)];
}
