import { REVOCATION_REASONS } from "@/lib/certificates/revocation/reasons";
import { isSigned } from "@/lib/certificates/revocation/signature";
import { type Certificate, readPointUrls } from "@/lib/certificates/x509/x509";
import { type Der, isTime, readAll, readDer, readOid, readTime, TAG } from "@/lib/der";

/** A revoked certificate's entry. */
interface RevokedEntry {
  revokedAt: Date;
  /** RFC 5280, 5.3.1, as one of our codes; null if none is given. */
  reason: string | null;
}

/** A certificate revocation list (RFC 5280, 5), searched without unpacking it in memory. */
export interface Crl {
  issuerDer: Uint8Array;
  thisUpdate: Date;
  /** Null if the list omits it; RFC 5280 requires it. */
  nextUpdate: Date | null;
  /** An incomplete list cannot show that a certificate is not revoked. */
  scope: "complete" | "delta" | "indirect" | "partial";
  /** Whether it covers only end entities or only authorities. */
  onlyFor: "users" | "authorities" | null;
  /** The distribution points that it covers; empty if it covers all of its issuer's. */
  pointUrls: string[];
  /** By serial number in lower-case hexadecimal. */
  find: (serial: string) => RevokedEntry | null;
  isSignedBy: (issuer: Certificate) => boolean;
  /** OIDs, at most 5, of critical extensions that do not say what it covers: nobody may rely on it (RFC 5280, 5.2). */
  unknownCritical: string[];
}

const REASON_CODE = "2.5.29.21";
const DELTA_INDICATOR = "2.5.29.27";
const ISSUING_POINT = "2.5.29.28";
/** Maximum number of critical extensions to name. */
const MAX_LISTED = 5;
/** The only extensions of lists that are critical, as RFC 5280 defines them. */
const SCOPING = new Set([DELTA_INDICATOR, ISSUING_POINT]);

function readExtensions(list: Der): { oid: string; isCritical: boolean; value: Uint8Array }[] {
  return readAll(list.content).map(({ content }) => {
    const fields = readAll(content);
    return {
      oid: readOid(fields[0]?.content ?? new Uint8Array()),
      isCritical: fields.some(({ tag, content }) => tag === TAG.BOOLEAN && content[0] !== 0),
      value: fields.find(({ tag }) => tag === TAG.OCTET_STRING)?.content ?? new Uint8Array(),
    };
  });
}

/** The scope of the list: `[1]` users, `[2]` authorities, `[3]` some reasons, `[4]` indirect, `[5]` attributes (RFC 5280, 5.2.5). */
function readScope(extensions: ReturnType<typeof readExtensions>): Pick<Crl, "scope" | "onlyFor" | "pointUrls"> {
  const point = extensions.find(({ oid }) => oid === ISSUING_POINT);
  const fields = point === undefined ? [] : readAll(readDer(point.value).element.content);
  const has = (n: number) => fields.some(({ tag, content }) => tag === TAG.CONTEXT + n && content[0] !== 0);
  const isDelta = extensions.some(({ oid }) => oid === DELTA_INDICATOR);
  const isPartial = has(3) || has(5);
  return {
    scope: isDelta ? "delta" : has(4) ? "indirect" : isPartial ? "partial" : "complete",
    onlyFor: has(1) ? "users" : has(2) ? "authorities" : null,
    pointUrls: readPointUrls(readDer(point?.value ?? Uint8Array.of(0x30, 0)).element.content),
  };
}

/** The offsets of the elements of `bytes`, without reading their content. Throws a RangeError for malformed elements. */
function* starts(bytes: Uint8Array): Generator<number> {
  for (let at = 0; at < bytes.length; ) {
    yield at;
    const short = bytes[at + 1] ?? 0;
    const count = short < 0x80 ? 0 : short & 0x7f;
    let length = short < 0x80 ? short : 0;
    for (let n = 0; n < count; n++) length = length * 256 + (bytes[at + 2 + n] ?? 0);
    at += 2 + count + length;
    if (at > bytes.length || count > 4) throw new RangeError("cut off");
  }
}

/** The digits of an entry's serial number, its first field, whose length always fits in one byte. */
function serialAt(list: Uint8Array, entry: number): Uint8Array {
  const short = list[entry + 1] ?? 0;
  const at = entry + 2 + (short < 0x80 ? 0 : short & 0x7f);
  const digits = list.subarray(at + 2, at + 2 + (list[at + 1] ?? 0));
  return digits[0] === 0 ? digits.subarray(1) : digits;
}

function hash(digits: Uint8Array): number {
  let value = 0x811c9dc5;
  for (const digit of digits) value = Math.imul(value ^ digit, 0x01000193);
  return value >>> 0;
}

/** A hash table of entry offsets, 8 bytes each, beside the original list. */
function index(list: Uint8Array): (serial: Uint8Array) => number | null {
  let count = 0;
  for (const _ of starts(list)) count++;
  const size = 2 ** Math.ceil(Math.log2(count * 2 + 2));
  const places = new Uint32Array(size);
  for (const entry of starts(list)) {
    let place = hash(serialAt(list, entry)) % size;
    while (places[place] !== 0) place = (place + 1) % size;
    places[place] = entry + 1;
  }
  return (serial) => {
    for (let place = hash(serial) % size; ; place = (place + 1) % size) {
      const entry = (places[place] ?? 0) - 1;
      if (entry === -1) return null;
      if (Buffer.compare(serialAt(list, entry), serial) === 0) return entry;
    }
  };
}

function readEntry(entry: Der): RevokedEntry {
  const [, time, extensions] = readAll(entry.content);
  if (!isTime(time)) throw new RangeError("no revocation date");
  const reason = extensions && readExtensions(extensions).find(({ oid }) => oid === REASON_CODE);
  const code = reason && readDer(reason.value).element.content[0];
  return { revokedAt: readTime(time), reason: code === undefined ? null : (REVOCATION_REASONS[code] ?? null) };
}

/** Parses a CRL from DER. Throws a RangeError if it is malformed. */
export function parseCrl(der: Uint8Array): Crl {
  const [tbs, algorithm, signature] = readAll(readDer(der).element.content);
  if (tbs === undefined || algorithm === undefined || signature === undefined) throw new RangeError("no CRL");
  const fields = readAll(tbs.content);
  if (fields[0]?.tag === TAG.INTEGER) fields.shift();
  const [, issuer, thisUpdate, ...others] = fields;
  if (issuer?.tag !== TAG.SEQUENCE || !isTime(thisUpdate)) throw new RangeError("no CRL");
  const nextUpdate = isTime(others[0]) ? others[0] : null;
  const list = others.find(({ tag }) => tag === TAG.SEQUENCE)?.content ?? new Uint8Array();
  const wrapped = others.find(({ tag }) => tag === TAG.CONTEXT + TAG.CONSTRUCTED);
  const findEntry = index(list);
  const verdicts = new WeakMap<Certificate, boolean>();
  const signed = { tbs, algorithm, signature };
  const extensions = wrapped === undefined ? [] : readExtensions(readDer(wrapped.content).element);
  return {
    issuerDer: issuer.raw,
    thisUpdate: readTime(thisUpdate),
    nextUpdate: nextUpdate === null ? null : readTime(nextUpdate),
    ...readScope(extensions),
    unknownCritical: extensions
      .flatMap(({ oid, isCritical }) => (isCritical && !SCOPING.has(oid) ? oid : []))
      .slice(0, MAX_LISTED),
    find: (serial) => {
      const digits = serial.length % 2 === 0 ? serial : `0${serial}`;
      const entry = findEntry(Buffer.from(digits, "hex"));
      return entry === null ? null : readEntry(readDer(list.subarray(entry)).element);
    },
    isSignedBy: (certificate) => {
      const known = verdicts.get(certificate) ?? isSigned(signed, certificate);
      verdicts.set(certificate, known);
      return known;
    },
  };
}
