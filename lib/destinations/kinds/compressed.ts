import { promisify } from "node:util";
import { gzip } from "node:zlib";

const zip = promisify(gzip);
/** Shorter bodies are sent as text: compressing them saves nothing, and the exchange of a test can show them. */
const MIN_BYTES = 8 * 1024;

/** A body for a request, gzipped if it is long, with the header that says so. */
export async function compressed(text: string): Promise<{ body: string | Buffer; encoding: Record<string, string> }> {
  if (Buffer.byteLength(text) < MIN_BYTES) return { body: text, encoding: {} };
  return { body: await zip(text, { level: 4 }), encoding: { "content-encoding": "gzip" } };
}
