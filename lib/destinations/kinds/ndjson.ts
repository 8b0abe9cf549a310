import type { Batch } from "@/lib/destinations/batches/batch";
import type { Format } from "@/lib/destinations/formats/format";

/** Consecutive entries that are not sent, as a line: `{"omitted": {epoch, first, end, reason, hashes}}`. */
function omittedLine(epoch: number, range: Batch["omitted"][number]): string {
  const { first, end, reason, hashes } = range;
  return JSON.stringify({ omitted: { epoch, first, end, reason, hashes } });
}

/** A batch as lines in the order of the indexes, each with its line break: events in the given format, and what is omitted between them. */
export function ndjsonOf({ origin, epoch, events, omitted }: Batch, { encode }: Format): string {
  const lines: string[] = [];
  let at = 0;
  for (const event of events) {
    for (let range = omitted[at]; range !== undefined && range.first < event.seal.index; range = omitted[++at]) {
      lines.push(omittedLine(epoch, range));
    }
    const encoded = encode(event, { origin });
    lines.push(typeof encoded === "string" ? encoded : JSON.stringify(encoded));
  }
  for (const range of omitted.slice(at)) lines.push(omittedLine(epoch, range));
  return lines.map((line) => `${line}\n`).join("");
}
