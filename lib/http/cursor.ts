import { createHash } from "node:crypto";
import type { Page } from "@/lib/http/endpoint";
import type { ApiError } from "@/lib/http/errors";
import { invalidFields } from "@/lib/http/errors";
import { isUuid } from "@/lib/text/shapes/uuid";

const TEXT = /^[A-Za-z0-9_-]+$/;

function fingerprint(filters: unknown): string {
  return createHash("sha256").update(JSON.stringify(filters)).digest("base64url").slice(0, 8);
}

/** Encodes an opaque cursor: the end of a page, bound to the `filters` of that page. */
export function encodeCursor(position: readonly (string | number | null)[], filters: unknown): string {
  return Buffer.from(JSON.stringify([fingerprint(filters), ...position])).toString("base64url");
}

/** Decodes the position of a cursor. Throws 400 if it is invalid or was created with different filters. */
export function decodeCursor(cursor: string, filters: unknown, length: number): (string | number | null)[] {
  const parsed = TEXT.test(cursor) ? parse(Buffer.from(cursor, "base64url").toString("utf8")) : null;
  if (!Array.isArray(parsed) || parsed.length !== length + 1) throw refuse("is not a valid cursor");
  const [print, ...position] = parsed;
  if (print !== fingerprint(filters)) throw refuse("was created with different filters");
  if (!position.every((part) => part === null || typeof part === "string" || typeof part === "number")) {
    throw refuse("is not a valid cursor");
  }
  return position;
}

/**
 * What a part of a position must be so that the database accepts it: an id, a time in the format of our responses, a digit, any text.
 * A time can be missing (`never`): it then follows all times in ascending order, or precedes them.
 */
export type Kind = "id" | "time" | "time or never" | "never or time" | "digit" | "text";
const TIME = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const isTime = (part: string) => TIME.test(part) && !Number.isNaN(Date.parse(part));
/** How a position states that a time is missing. */
export const NEVER = "never";
const isTimeOrNever = (part: string) => part === NEVER || isTime(part);
const isKind: Record<Kind, (part: string) => boolean> = {
  id: isUuid,
  time: isTime,
  "time or never": isTimeOrNever,
  "never or time": isTimeOrNever,
  digit: (part) => /^\d$/.test(part),
  text: (part) => !/[\0\p{Cs}]/u.test(part),
};

/** Decodes a position and checks the kinds of its parts, because clients can forge cursors. Throws 400. */
export function decodePosition(cursor: string, filters: unknown, kinds: readonly Kind[]): string[] {
  return decodeCursor(cursor, filters, kinds.length).map((part, index) => {
    const kind = kinds[index];
    if (typeof part === "string" && kind !== undefined && isKind[kind](part)) return part;
    throw refuse("is not a valid cursor");
  });
}

/** The id at which a page ended, for lists that are ordered only by id. Throws 400. */
export function decodeIdCursor(cursor: string | undefined, filters: unknown): string | null {
  if (cursor === undefined) return null;
  return decodePosition(cursor, filters, ["id"])[0] ?? null;
}

/** A page of rows that are ordered by id only and were read with a limit of `limit + 1`. */
export function pageById<Row extends { id: string }>(rows: readonly Row[], limit: number, filters: unknown): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor([last.id], filters) : null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refuse(why: string): ApiError {
  return invalidFields([{ path: "cursor", message: why }]);
}
