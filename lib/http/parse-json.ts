import { nextTurn } from "@/lib/turns";

/** Decoded in one turn of the event loop, in bytes: a fraction of a millisecond. */
const SLICE_BYTES = 256 * 1024;

/**
 * The value of a JSON text in UTF-8, whose depth and number of values `JsonScanner` has bounded. Other requests are served between the
 * steps of a large one. Rejects with a SyntaxError for what is no JSON, a TypeError for what is no UTF-8.
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
