import { findEntry } from "@/lib/certificates/revocation/crl-entries";
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

/** A certificate revocation list (RFC 5280, 5), searched without unpacking it in memory. Remembers results by certificate. */
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
  /** The entry of a certificate; null if it is not revoked. Throws a RangeError if the list is malformed. */
  find: (certificate: Pick<Certificate, "serialBytes">) => RevokedEntry | null;
  isSignedBy: (issuer: Certificate) => boolean;
  /** OIDs, at most 5, of critical extensions that do not say what it covers: nobody may rely on it (RFC 5280, 5.2). */
  unknownCritical: string[];
}

const REASON_CODE = "2.5.29.21";
const DELTA_INDICATOR = "2.5.29.27";
const ISSUING_POINT = "2.5.29.28";
/** Maximum number of fields of a structure, which RFC 5280 limits to 7, and of extensions. */
const MAX_FIELDS = 10;
const MAX_EXTENSIONS = 100;
/** Maximum number of critical extensions to name. */
const MAX_LISTED = 5;
/** The only extensions of lists that are critical, as RFC 5280 defines them. */
const SCOPING = new Set([DELTA_INDICATOR, ISSUING_POINT]);

function readExtensions(list: Der): { oid: string; isCritical: boolean; value: Uint8Array }[] {
  return readAll(list.content, MAX_EXTENSIONS).map(({ content }) => {
    const fields = readAll(content, MAX_FIELDS);
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
  const fields = point === undefined ? [] : readAll(readDer(point.value).element.content, MAX_FIELDS);
  const has = (n: number) => fields.some(({ tag, content }) => tag === TAG.CONTEXT + n && content[0] !== 0);
  const isDelta = extensions.some(({ oid }) => oid === DELTA_INDICATOR);
  const pointUrls = readPointUrls(readDer(point?.value ?? Uint8Array.of(0x30, 0)).element.content);
  // A point without a URL, such as a name in a directory, cannot be compared with those of a certificate.
  const isOfUnknownPoint = pointUrls.length === 0 && fields.some(({ tag }) => tag === TAG.CONTEXT + TAG.CONSTRUCTED);
  const isPartial = isOfUnknownPoint || fields.some(({ tag }) => tag === TAG.CONTEXT + 3) || has(5);
  return {
    scope: isDelta ? "delta" : has(4) ? "indirect" : isPartial ? "partial" : "complete",
    onlyFor: has(1) ? "users" : has(2) ? "authorities" : null,
    pointUrls,
  };
}

function readEntry(entry: Der): RevokedEntry {
  const [, time, extensions] = readAll(entry.content, MAX_FIELDS);
  if (!isTime(time)) throw new RangeError("no revocation date");
  const reason = extensions && readExtensions(extensions).find(({ oid }) => oid === REASON_CODE);
  const code = reason && readDer(reason.value).element.content[0];
  return { revokedAt: readTime(time), reason: code === undefined ? null : (REVOCATION_REASONS[code] ?? null) };
}

/** Remembers what `compute` returns or throws for a certificate: a large list takes milliseconds to search or to verify. */
function byCertificate<Subject extends object, Value>(
  compute: (subject: Subject) => Value,
): (subject: Subject) => Value {
  const known = new WeakMap<Subject, { value: Value } | { error: unknown }>();
  const attempt = (subject: Subject) => {
    try {
      return { value: compute(subject) };
    } catch (error) {
      return { error };
    }
  };
  return (subject) => {
    const result = known.get(subject) ?? attempt(subject);
    known.set(subject, result);
    if ("error" in result) throw result.error;
    return result.value;
  };
}

/**
 * Parses a CRL from DER, but not its entries. Throws a RangeError if it is malformed. Takes little time and memory for any input,
 * because anybody may have made it.
 */
export function parseCrl(der: Uint8Array): Crl {
  const [tbs, algorithm, signature] = readAll(readDer(der).element.content, MAX_FIELDS);
  if (tbs === undefined || algorithm === undefined || signature === undefined) throw new RangeError("no CRL");
  const fields = readAll(tbs.content, MAX_FIELDS);
  if (fields[0]?.tag === TAG.INTEGER) fields.shift();
  const [, issuer, thisUpdate, ...others] = fields;
  if (issuer?.tag !== TAG.SEQUENCE || !isTime(thisUpdate)) throw new RangeError("no CRL");
  const nextUpdate = isTime(others[0]) ? others[0] : null;
  const list = others.find(({ tag }) => tag === TAG.SEQUENCE)?.content ?? new Uint8Array();
  const wrapped = others.find(({ tag }) => tag === TAG.CONTEXT + TAG.CONSTRUCTED);
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
    find: byCertificate(({ serialBytes }) => {
      const entry = findEntry(list, serialBytes);
      return entry === null ? null : readEntry(readDer(entry).element);
    }),
    isSignedBy: byCertificate((issuer) => isSigned(signed, issuer)),
  };
}
