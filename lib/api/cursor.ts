import { createHash } from "node:crypto";
import { ApiError } from "@/lib/api/errors";

const TEXT = /^[A-Za-z0-9_-]+$/;

function fingerprint(filters: unknown): string {
  return createHash("sha256").update(JSON.stringify(filters)).digest("base64url").slice(0, 8);
}

/** An opaque cursor: where a page ended, bound to the `filters` that the page was made with. */
export function encodeCursor(position: readonly (string | number | null)[], filters: unknown): string {
  return Buffer.from(JSON.stringify([fingerprint(filters), ...position])).toString("base64url");
}

/** The position of a cursor. Throws 400 when it is garbage, or was made with other filters. */
export function decodeCursor(cursor: string, filters: unknown, length: number): (string | number | null)[] {
  const parsed = TEXT.test(cursor) ? parse(Buffer.from(cursor, "base64url").toString("utf8")) : null;
  if (!Array.isArray(parsed) || parsed.length !== length + 1) throw refuse("is not a cursor that was given out");
  const [print, ...position] = parsed;
  if (print !== fingerprint(filters)) throw refuse("was made with other filters");
  if (!position.every((part) => part === null || typeof part === "string" || typeof part === "number")) {
    throw refuse("is not a cursor that was given out");
  }
  return position;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refuse(why: string): ApiError {
  return new ApiError("INVALID_REQUEST", `cursor: ${why}.`, { issues: [{ path: "cursor", message: why }] });
}
