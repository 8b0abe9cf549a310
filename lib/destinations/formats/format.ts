import type { SentEvent } from "@/lib/destinations/batches/batch";

/** How one event is written. Kinds frame it: as a line, as a member of a request. */
export interface Format<Encoded = unknown> {
  /** As in `format` of a destination. */
  name: string;
  /** Of one encoded event: `application/json`, or `text/plain` if it is a string that is not JSON. */
  contentType: string;
  /** The event as a JSON value, or as a line of text without a line break. Pure; never throws for an event of the log. */
  encode(event: SentEvent, log: { origin: string }): Encoded;
}
