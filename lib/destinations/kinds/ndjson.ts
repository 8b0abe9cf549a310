import type { Batch, OmittedRange, SentEvent } from "@/lib/destinations/batches/batch";
import { eventJson } from "@/lib/destinations/batches/event-json";
import type { Format } from "@/lib/destinations/formats/format";

/** The events of a batch and the ranges that it omits, in the order of their indexes. */
export function inLogOrder<Line>(
  { events, omitted }: Pick<Batch, "events" | "omitted">,
  eventLine: (event: SentEvent) => Line,
  omittedLine: (range: OmittedRange) => Line,
): Line[] {
  const lines: Line[] = [];
  let at = 0;
  for (const event of events) {
    for (let range = omitted[at]; range !== undefined && range.first < event.seal.index; range = omitted[++at]) {
      lines.push(omittedLine(range));
    }
    lines.push(eventLine(event));
  }
  return [...lines, ...omitted.slice(at).map(omittedLine)];
}

/**
 * A batch as lines in the order of the indexes, each with its line break: events in the given format, and what is omitted between them
 * as `{"omitted": {epoch, first, end, reason, hashes}}`.
 */
export function ndjsonOf(batch: Batch, { encode }: Format): string {
  const { origin, epoch } = batch;
  const eventLine = (event: SentEvent) => {
    const encoded = encode(event, { origin });
    if (encoded === event) return eventJson(event);
    return typeof encoded === "string" ? encoded : JSON.stringify(encoded);
  };
  const omittedLine = ({ first, end, reason, hashes }: OmittedRange) =>
    JSON.stringify({ omitted: { epoch, first, end, reason, hashes } });
  return inLogOrder(batch, eventLine, omittedLine)
    .map((line) => `${line}\n`)
    .join("");
}
