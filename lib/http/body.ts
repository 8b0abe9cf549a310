import type { IncomingHttpHeaders } from "node:http";
import type { Issue } from "@/lib/http/errors";
import type { JsonScanner } from "@/lib/http/json-scanner";
import { processSingleton } from "@/lib/process-singleton";
import { nextTurn } from "@/lib/turns";

/** What came of reading a request's body. */
export type Body =
  /** `tooMuch`: why it must not be parsed. */
  | { kind: "read"; bytes: Buffer; tooMuch: Issue | null }
  | { kind: "too_large"; declared: number | null }
  | { kind: "cut_off" }
  /** Not begun: the request is refused anyway, or its organization has no slot for it. */
  | { kind: "unread" }
  | { kind: "no_room" };

export const LARGEST_BODY = 1024 * 1024;
export const LARGEST_BULK_BODY = 10 * 1024 * 1024;

/** Bytes of bodies that one process holds at once: thousands who each send a little less than they may must not fill its memory. */
const MAX_RESERVED_BYTES = 256 * 1024 * 1024;
const held = processSingleton("api.bodies-held", () => ({ bytes: 0 }));

/** Bytes that are copied in a turn of the event loop of their own, beside neither the scan of the last chunk nor what comes next. */
const LARGE = 1024 * 1024;

const NONE: Body = { kind: "read", bytes: Buffer.alloc(0), tooMuch: null };

/** What one request holds of the bytes that this process has room for. */
export class BodyMemoryReservation {
  private bytes = 0;

  /** False when there is no room for so many more. */
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

/** Bytes of the body that a request's headers announce; null where they do not say how many, 0 without a body. */
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
 * Reads a body of at most `largest` bytes exactly as submitted. One that declares more is not read at all; one that does
 * not say is read up to the limit. A client that goes away, or stalls past the server's time limit, has cut it off. `hold` is told
 * of every byte that is kept, and must be let go of when the request is over; `scanner` judges what arrives.
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
  const bytes = size > LARGE ? await concatApart(chunks) : Buffer.concat(chunks);
  return { kind: "read", bytes, tooMuch: scanner.issue };
}
