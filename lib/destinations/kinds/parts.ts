import { SendFailure } from "@/lib/destinations/kinds/send-failure";

/** What one request may contain. */
export interface PartLimits {
  count: number;
  /** UTF-8 bytes of all, each with one more for what separates them. */
  bytes: number;
}

/** Consecutive texts that fit in one request each. Throws SendFailure if a text alone is too long. */
export function partsOf<Item extends { text: string }>(items: readonly Item[], limits: PartLimits): Item[][] {
  const parts: Item[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const bytes = Buffer.byteLength(item.text) + 1;
    if (bytes > limits.bytes)
      throw new SendFailure(`an event has ${bytes} bytes, and the receiver takes ${limits.bytes}`);
    const last = parts.at(-1);
    if (last === undefined || last.length >= limits.count || size + bytes > limits.bytes) {
      parts.push([item]);
      size = bytes;
    } else {
      last.push(item);
      size += bytes;
    }
  }
  return parts;
}
