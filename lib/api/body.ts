/** What came of reading a request's body. */
export type Body =
  | { kind: "read"; bytes: Buffer }
  | { kind: "too_large"; declared: number | null }
  | { kind: "cut_off" };

export const LARGEST_BODY = 1024 * 1024;
export const LARGEST_BULK_BODY = 10 * 1024 * 1024;

const NONE: Body = { kind: "read", bytes: Buffer.alloc(0) };

/**
 * Reads a body of at most `largest` bytes exactly as submitted. One that declares more is not read at all; one that does
 * not say is read up to the limit. A client that goes away, or stalls past the server's time limit, has cut it off.
 */
export async function readBody(request: Request, contentLength: string | undefined, largest: number): Promise<Body> {
  const declared = contentLength === undefined ? null : Number(contentLength);
  if (declared !== null && declared > largest) return { kind: "too_large", declared };
  if (request.body === null || declared === 0) return NONE;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = request.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (size > largest) {
        void reader.cancel().catch(() => {});
        return { kind: "too_large", declared };
      }
      chunks.push(part.value);
    }
  } catch {
    return { kind: "cut_off" };
  }
  return { kind: "read", bytes: Buffer.concat(chunks) };
}
