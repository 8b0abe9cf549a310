import { type Der, readAll, readDer, readOid, TAG } from "@/lib/der";
import { sha256 } from "@/lib/sealed-log/tree";

/** 2.16.840.1.101.3.4.2.1 */
const SHA256_OID = Buffer.from("608648016503040201", "hex");
const SIGNED_DATA = "1.2.840.113549.1.7.2";
const TST_INFO = "1.2.840.113549.1.9.16.1.4";
const EXPLICIT_0 = TAG.CONTEXT + TAG.CONSTRUCTED;
const GENERALIZED_TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/;
/** Statuses of a reply that has a token: granted, and granted with modifications. */
const GRANTED = [0, 1];

/** A reply or a token does not match the request. The message is a predicate: "has another nonce". */
export class WrongStamp extends Error {
  override readonly name = "WrongStamp";
}

/** A DER element with a tag and this content. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const digits = content.length.toString(16);
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 + length.length]), length, content]);
}

/** The algorithm and the hash that a time stamp is about (RFC 3161, 2.4.1): SHA-256 of a text. */
export function imprintOf(text: string): Buffer {
  const algorithm = der(TAG.SEQUENCE, der(TAG.OID, SHA256_OID), der(0x05));
  return der(TAG.SEQUENCE, algorithm, der(TAG.OCTET_STRING, sha256(Buffer.from(text))));
}

/** A request for a time stamp over a text, with the authority's certificate (RFC 3161, 2.4.1). `nonce` is a positive INTEGER's bytes. */
export function stampRequest(text: string, nonce: Uint8Array): Buffer {
  return der(
    TAG.SEQUENCE,
    der(TAG.INTEGER, Buffer.from([1])),
    imprintOf(text),
    der(TAG.INTEGER, nonce),
    der(TAG.BOOLEAN, Buffer.from([0xff])),
  );
}

/** A time stamp of an authority, whose signature was not verified. */
export interface TimeStamp {
  /** The token (CMS SignedData, DER). */
  token: Buffer;
  /** The time that the authority states. */
  at: Date;
}

/** Reads the reply to a request (RFC 3161, 2.4.2). Throws WrongStamp if it has no token over this text with this nonce. */
export function readStampReply(reply: Uint8Array, text: string, nonce: Uint8Array): TimeStamp {
  return reading(() => {
    const [status, token] = readAll(only(reply, TAG.SEQUENCE).content);
    const [code] = readAll(status?.content ?? Buffer.alloc(0));
    const number = code?.tag === TAG.INTEGER && code.content.length === 1 ? code.content[0] : undefined;
    if (number === undefined || !GRANTED.includes(number)) throw new WrongStamp(`was refused with status ${number}`);
    if (token === undefined) throw new WrongStamp("has no token");
    return readStamp(Buffer.from(token.raw), text, nonce);
  });
}

/**
 * Reads a token over a text; the signature of its authority is not verified. Throws WrongStamp if it is about another text, or has another
 * nonce than the one given.
 */
export function readStamp(token: Buffer, text: string, nonce?: Uint8Array): TimeStamp {
  return reading(() => {
    const info = tstInfo(token);
    const [, , imprint, , time, ...rest] = info;
    const [algorithm, hashed] = readAll(imprint?.content ?? Buffer.alloc(0));
    const [oid] = readAll(algorithm?.content ?? Buffer.alloc(0));
    const isSha256 = oid?.tag === TAG.OID && SHA256_OID.equals(oid.content);
    if (!isSha256 || hashed?.tag !== TAG.OCTET_STRING || !sha256(Buffer.from(text)).equals(hashed.content))
      throw new WrongStamp("is over another text");
    const found = rest.find(({ tag }) => tag === TAG.INTEGER);
    if (nonce !== undefined && (found === undefined || Buffer.compare(found.content, nonce) !== 0))
      throw new WrongStamp("has another nonce");
    return { token, at: timeOf(time) };
  });
}

/** The elements of the TSTInfo in a token (RFC 3161, 2.4.2; RFC 5652, 5.1). */
function tstInfo(token: Uint8Array): Der[] {
  const [type, signed] = readAll(only(token, TAG.SEQUENCE).content);
  if (type === undefined || readOid(type.content) !== SIGNED_DATA || signed?.tag !== EXPLICIT_0)
    throw new WrongStamp("is not signed data");
  const [, , encapsulated] = readAll(only(signed.content, TAG.SEQUENCE).content);
  const [content, explicit] = readAll(encapsulated?.content ?? Buffer.alloc(0));
  if (content === undefined || readOid(content.content) !== TST_INFO || explicit?.tag !== EXPLICIT_0)
    throw new WrongStamp("has no time stamp");
  return readAll(only(only(explicit.content, TAG.OCTET_STRING).content, TAG.SEQUENCE).content);
}

/** The only element, with this tag. */
function only(bytes: Uint8Array, tag: number): Der {
  const { element, rest } = readDer(bytes);
  if (element.tag !== tag || rest.length > 0) throw new WrongStamp("is malformed");
  return element;
}

function timeOf(element: Der | undefined): Date {
  const text = element?.tag === TAG.GENERALIZED_TIME ? Buffer.from(element.content).toString("latin1") : "";
  const [, year, month, day, hour, minute, second, fraction = ""] = GENERALIZED_TIME.exec(text) ?? [];
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`);
  if (Number.isNaN(at.getTime())) throw new WrongStamp("has no time");
  return at;
}

/** Turns malformed DER into WrongStamp. */
function reading<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new WrongStamp("is malformed");
    throw error;
  }
}
