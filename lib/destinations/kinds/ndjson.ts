import type { Batch } from "@/lib/destinations/batches/batch";
import { eventJson } from "@/lib/destinations/batches/event-json";
import type { SendContext } from "@/lib/destinations/kinds/kind";
import { recordsOf } from "@/lib/destinations/kinds/records";

/** The records of a batch as lines in the order of the log, each with its line break. */
export function ndjsonOf(batch: Batch, context: Pick<SendContext, "format" | "now">): string {
  return recordsOf(batch, context)
    .map(({ event, value }) => `${event !== null && value === event ? eventJson(event) : JSON.stringify(value)}\n`)
    .join("");
}
