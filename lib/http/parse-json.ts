import { nextTurn } from "@/lib/turns";

/** Bytes decoded in one turn of the event loop, which takes a fraction of a millisecond. */
const SLICE_BYTES = 256 * 1024;

/**
 * Parses JSON in UTF-8; `JsonScanner` must have checked its depth and number of values. Other requests are served between the
 * steps of a large text. Rejects with a SyntaxError for invalid JSON and a TypeError for invalid UTF-8.
 */
export async function parseJson(bytes: Buffer): Promise<unknown> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  if (bytes.length <= SLICE_BYTES) return JSON.parse(decoder.decode(bytes));
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    parts.push(decoder.decode(bytes.subarray(at, at + SLICE_BYTES), { stream: true }));
    await nextTurn();
  }
  parts.push(decoder.decode());
  const text = parts.join("");
  await nextTurn();
  const value: unknown = JSON.parse(text);
  await nextTurn();
  return value;
}
