import type { Batch, SentEvent } from "@/lib/destinations/batches/batch";
import { inLogOrder } from "@/lib/destinations/batches/in-log-order";
import { type Severity, severityOf } from "@/lib/destinations/formats/facts";
import type { FormatName } from "@/lib/destinations/formats/names";
import { encodeOmission, type Omitted, omissionSeverity, omittedIn } from "@/lib/destinations/formats/omission";
import type { SendContext } from "@/lib/destinations/kinds/kind";

/** What is sent of a batch: an event, or entries that are not sent; `value` is how the format writes it. */
export type SinkRecord = { value: unknown; event: SentEvent } | { value: unknown; event: null; range: Omitted };

/** The records of a batch in the order of the log. */
export function recordsOf(batch: Batch, { format, now }: Pick<SendContext, "format" | "now">): SinkRecord[] {
  const { origin, epoch, events } = batch;
  const name = format.name as FormatName;
  // A repeated batch has the same bytes, because receivers may compare them.
  const last = events.at(-1);
  const at = last === undefined ? now : Date.parse(last.occurred_at);
  return inLogOrder<SinkRecord, Omitted>(
    { events, omitted: omittedIn(name, batch.omitted) },
    (event) => ({ value: format.encode(event, { origin }), event }),
    (range) => ({ value: encodeOmission(name, range, { origin, epoch, now: at }), event: null, range }),
  );
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

export function recordSeverity(record: SinkRecord): Severity {
  return record.event === null ? omissionSeverity(record.range) : severityOf(record.event);
}
