import { FormatError } from "@/lib/sealed-log/format-error";

/** Most strings need no escapes; quoting them directly is faster than JSON.stringify. */
const PLAIN = /^[ !#-[\]-~]*$/;
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * The canonical JSON of RFC 8785: members ordered by the UTF-16 code units of their names, numbers as ECMAScript writes them, no
 * white space. Leaves out undefined members. Throws FormatError for values that I-JSON does not allow: lone surrogates, NaN, Infinity.
 */
export function canonicalJson(value: unknown): string {
  return write(value, false);
}

/** Canonical JSON without null members at any depth. Nulls in arrays, and objects left empty, stay. */
export function canonicalJsonWithoutNulls(value: unknown): string {
  return write(value, true);
}

/** Canonical JSON of an object without null members and without those named in `skipped`. */
export function canonicalMembersWithoutNulls(object: object, skipped: ReadonlySet<string>): string {
  return writeObject(object, true, skipped);
}

/** A string as canonical JSON. Throws FormatError for a lone surrogate. */
export function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (LONE_SURROGATE.test(text)) throw new FormatError("A string has a lone surrogate.");
  return JSON.stringify(text);
}

function write(value: unknown, withoutNulls: boolean): string {
  if (typeof value === "string") return quote(value);
  if (value === null) return "null";
  if (typeof value === "object") {
    return Array.isArray(value) ? writeArray(value, withoutNulls) : writeObject(value, withoutNulls);
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new FormatError(`JSON has no number ${value}.`);
    return String(value);
  }
  if (typeof value === "boolean") return value ? "true" : "false";
  throw new FormatError(`JSON has no ${typeof value}.`);
}

function writeArray(values: readonly unknown[], withoutNulls: boolean): string {
  return `[${values.map((value) => write(value, withoutNulls)).join(",")}]`;
}

function writeObject(object: object, withoutNulls: boolean, skipped?: ReadonlySet<string>): string {
  let text = "";
  for (const name of Object.keys(object).sort()) {
    const value: unknown = Reflect.get(object, name);
    if (value === undefined || (withoutNulls && value === null) || skipped?.has(name)) continue;
    text += `${text === "" ? "" : ","}${quote(name)}:${write(value, withoutNulls)}`;
  }
  return `{${text}}`;
}
