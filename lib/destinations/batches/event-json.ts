import type { SentEvent } from "@/lib/destinations/batches/batch";

const texts = new WeakMap<SentEvent, string>();

/** The JSON of an event, made once: its length limits the batch, and then it is sent. */
export function eventJson(event: SentEvent): string {
  const made = texts.get(event);
  if (made !== undefined) return made;
  const text = JSON.stringify(event);
  texts.set(event, text);
  return text;
}
