import type { IncomingHttpHeaders } from "node:http";
import type { Issue } from "@/lib/http/errors";
import type { JsonScanner } from "@/lib/http/json-scanner";
import { processSingleton } from "@/lib/process-singleton";
import { nextTurn } from "@/lib/turns";

/** The result of reading a request's body. */
export type Body =
  /** `tooMuch`: the reason why the body must not be parsed. */
  | { kind: "read"; bytes: Buffer; tooMuch: Issue | null }
  | { kind: "too_large"; declared: number | null }
  | { kind: "cut_off" }
  /** Not read: the request is refused for another reason, or its organization has no slot for it. */
  | { kind: "unread"; wasRefused: boolean }
  | { kind: "no_room" };

export const LARGEST_BODY = 1024 * 1024;
export const LARGEST_BULK_BODY = 10 * 1024 * 1024;

/** Total bytes of bodies that one process holds: thousands of clients sending nearly the maximum must not exhaust its memory. */
const MAX_RESERVED_BYTES = 256 * 1024 * 1024;
const held = processSingleton("api.bodies-held", () => ({ bytes: 0 }));

/** Bodies larger than this are copied in their own turn of the event loop, separate from scanning and parsing. In bytes. */
const LARGE_BODY_BYTES = 1024 * 1024;

const NONE: Body = { kind: "read", bytes: Buffer.alloc(0), tooMuch: null };

/** The bytes that one request reserves of the memory this process has for bodies. */
export class BodyMemoryReservation {
  private bytes = 0;

  /** Reserves more bytes. False if the memory for bodies is used up. */
  take(bytes: number): boolean {
    if (held.bytes + bytes > MAX_RESERVED_BYTES) return false;
    held.bytes += bytes;
    this.bytes += bytes;
    return true;
  }

  release(): void {
    held.bytes -= this.bytes;
    this.bytes = 0;
  }
}

/** Size of the body in bytes according to the request's headers; null if they do not specify it, 0 without a body. */
export function announcedSize(headers: IncomingHttpHeaders): number | null {
  if (headers["content-length"] !== undefined) return Number(headers["content-length"]);
  return headers["transfer-encoding"] === undefined ? 0 : null;
}

async function concatApart(chunks: readonly Uint8Array[]): Promise<Buffer> {
  await nextTurn();
  const bytes = Buffer.concat(chunks);
  await nextTurn();
  return bytes;
}

/**
 * Reads a body of at most `largest` bytes exactly as submitted. A body that declares more is not read; a body of undeclared size is
 * read up to the limit. It is cut off if the client disconnects or stalls past the server's timeout. `hold` reserves the bytes that
 * are kept, and the caller releases it when the request ends; `scanner` checks the bytes as they arrive.
 */
export async function readBody(
  request: Request,
  contentLength: string | undefined,
  largest: number,
  hold: BodyMemoryReservation,
  scanner: JsonScanner,
): Promise<Body> {
  const declared = contentLength === undefined ? null : Number(contentLength);
  if (declared !== null && declared > largest) return { kind: "too_large", declared };
  if (request.body === null || declared === 0) return NONE;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = request.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      const hasRoom = hold.take(part.value.byteLength);
      if (size > largest || !hasRoom) {
        void reader.cancel().catch(() => {});
        return size > largest ? { kind: "too_large", declared } : { kind: "no_room" };
      }
      chunks.push(part.value);
      scanner.push(part.value);
    }
  } catch {
    return { kind: "cut_off" };
  }
  const bytes = size > LARGE_BODY_BYTES ? await concatApart(chunks) : Buffer.concat(chunks);
  return { kind: "read", bytes, tooMuch: scanner.issue };
}
