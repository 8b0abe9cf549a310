import type { Batch, OmittedRange, SentEvent } from "@/lib/destinations/batches/batch";
import type { FormatName } from "@/lib/destinations/formats/names";
import { encodeOmission } from "@/lib/destinations/formats/omission";
import type { SendContext } from "@/lib/destinations/kinds/kind";

/** What is sent of a batch: an event, or a range that is not sent; `value` is how the format writes it. */
export type SinkRecord = { value: unknown; event: SentEvent } | { value: unknown; event: null; range: OmittedRange };

/** The records of a batch in the order of the log. Ranges that the format does not tell are left out. */
export function recordsOf(batch: Batch, { format, now }: Pick<SendContext, "format" | "now">): SinkRecord[] {
  const { origin, epoch } = batch;
  const events = batch.events.map((event) => ({
    at: event.seal.index,
    value: format.encode(event, { origin }),
    event,
  }));
  const ranges = batch.omitted.flatMap((range) => {
    const value = encodeOmission(format.name as FormatName, range, { origin, epoch, now });
    return value === null ? [] : [{ at: range.first, value, event: null, range }];
  });
  return [...events, ...ranges].sort((one, other) => one.at - other.at).map(({ at: _, ...record }) => record);
}

/** The identifier of a record: the same for every attempt. */
export function recordId(record: SinkRecord, { origin, epoch }: Pick<Batch, "origin" | "epoch">): string {
  if (record.event !== null) return record.event.id;
  return `${origin}:${epoch}:${record.range.first}-${record.range.end - 1}`;
}

/** When a record happened, in Unix milliseconds. */
export function recordTime({ event }: SinkRecord, now: number): number {
  return event === null ? now : Date.parse(event.occurred_at);
}
