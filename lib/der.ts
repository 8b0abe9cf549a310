/** A DER element (X.690): its tag byte, its content and its whole encoding. */
export interface Der {
  tag: number;
  content: Uint8Array;
  raw: Uint8Array;
}

/** Tags of X.509, including class and construction; `CONTEXT + n` is `[n]`, primitive. */
export const TAG = {
  BOOLEAN: 0x01,
  INTEGER: 0x02,
  BIT_STRING: 0x03,
  OCTET_STRING: 0x04,
  OID: 0x06,
  UTC_TIME: 0x17,
  GENERALIZED_TIME: 0x18,
  SEQUENCE: 0x30,
  SET: 0x31,
  CONTEXT: 0x80,
  CONSTRUCTED: 0x20,
} as const;

/** The first element of `bytes` and the rest. Throws a RangeError if there is none. */
export function readDer(bytes: Uint8Array): { element: Der; rest: Uint8Array } {
  const [tag, short] = bytes;
  if (tag === undefined || short === undefined || (tag & 0x1f) === 0x1f) throw new RangeError("no DER element");
  let length = short;
  let start = 2;
  if (short >= 0x80) {
    const count = short & 0x7f;
    if (count === 0 || count > 4) throw new RangeError("no definite length");
    length = bytes.subarray(2, 2 + count).reduce((sum, byte) => sum * 256 + byte, 0);
    start += count;
  }
  if (start + length > bytes.length) throw new RangeError("cut off");
  return {
    element: { tag, content: bytes.subarray(start, start + length), raw: bytes.subarray(0, start + length) },
    rest: bytes.subarray(start + length),
  };
}

/**
 * The elements of `content`. Throws a RangeError if it is malformed or has more than `most`: each takes far more memory than its bytes.
 * `what` they are is said in the error.
 */
export function readAll(content: Uint8Array, most = Number.POSITIVE_INFINITY, what?: string): Der[] {
  const elements: Der[] = [];
  for (let rest = content; rest.length > 0; ) {
    if (elements.length === most) throw new RangeError(what ? `more than ${most} ${what}` : "too many elements");
    const next = readDer(rest);
    elements.push(next.element);
    rest = next.rest;
  }
  return elements;
}

/** The content of an INTEGER without leading zeros, of which some authorities write too few or too many: equal numbers have equal bytes. */
export function significantBytes(content: Uint8Array): Uint8Array {
  const first = content.findIndex((byte) => byte !== 0);
  return content.subarray(first < 0 ? content.length : first);
}

/** Longer object identifiers are not used, and converting them takes quadratic time. */
const MAX_OID_BYTES = 128;

/** An object identifier in dotted notation. Throws a RangeError if it is too long. */
export function readOid(content: Uint8Array): string {
  if (content.length > MAX_OID_BYTES) throw new RangeError("object identifier too long");
  const arcs: bigint[] = [];
  let value = 0n;
  for (const byte of content) {
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte >= 0x80) continue;
    if (arcs.length === 0) {
      const root = value < 40n ? 0n : value < 80n ? 1n : 2n;
      arcs.push(root, value - root * 40n);
    } else {
      arcs.push(value);
    }
    value = 0n;
  }
  return arcs.join(".");
}

export function isTime(element: Der | undefined): element is Der {
  return element?.tag === TAG.UTC_TIME || element?.tag === TAG.GENERALIZED_TIME;
}

/** Reads UTCTime or GeneralizedTime with the restrictions of RFC 5280. Throws a RangeError. */
export function readTime({ tag, content }: Der): Date {
  const text = Buffer.from(content).toString("latin1");
  const digits = tag === TAG.UTC_TIME ? `${Number(text.slice(0, 2)) < 50 ? "20" : "19"}${text}` : text;
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits) ?? [];
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(time.getTime())) throw new RangeError("no time");
  return time;
}
