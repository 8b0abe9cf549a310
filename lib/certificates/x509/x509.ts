import { createHash, type KeyObject, X509Certificate } from "node:crypto";
import ipaddr from "ipaddr.js";
import { RecentlyUsed } from "@/lib/caches/recently-used";
import { type Defect, fieldDefects } from "@/lib/certificates/x509/defects";
import { readExtensions, readUsage, type Usage } from "@/lib/certificates/x509/extensions";
import { readSignatureAlgorithm, type SignatureAlgorithm } from "@/lib/certificates/x509/signature-algorithms";
import { type Der, readAll, readDer, readOid, significantBytes, TAG } from "@/lib/der";
import { visible } from "@/lib/text/visible";

export interface SubjectAltName {
  type: "dns" | "ip" | "email" | "uri";
  value: string;
}

/** A parsed certificate, with the fields needed to verify it. */
export interface Certificate {
  x509: X509Certificate;
  /** Lower-case hexadecimal without colons. */
  sha256: string;
  /** RFC 4514, most specific first: `CN=example.com,O=Example,C=US`. Empty if the name is empty. */
  subject: string;
  commonName: string | null;
  issuer: string;
  /** Lower-case hexadecimal; begins with a minus if it is negative. */
  serial: string;
  /** The serial number in DER, without leading zeros. */
  serialBytes: Uint8Array;
  sans: SubjectAltName[];
  notBefore: Date;
  notAfter: Date;
  /** `rsa`, `ec`, `ed25519`, …; `unknown` if OpenSSL does not support it. */
  keyType: string;
  keyBits: number | null;
  signature: SignatureAlgorithm;
  isCa: boolean;
  usage: Usage;
  /** How it violates the rules for certificates. */
  defects: readonly Defect[];
  /** URLs of its issuer's certificate (authority information access). */
  issuerUrls: string[];
  /** URLs of the CRLs that would list it (CRL distribution points). */
  crlUrls: string[];
  /** Whether it names an OCSP responder. */
  hasOcsp: boolean;
  /** The issuer's name as DER, as in a CRL. */
  issuerDer: Uint8Array;
  /** SHA-256 of the public key with its algorithm (SPKI), lower-case hexadecimal. */
  publicKeySha256: string;
}

/** The data is not a valid certificate, or one with more than this product reads. The message says what is wrong with it. */
export class MalformedCertificate extends Error {
  override readonly name = "MalformedCertificate";
}

/** OpenSSL rejects handshakes with more, of all certificates together. Usual ones have 1 to 20 KB. */
export const MAX_DER_BYTES = 100 * 1024;
/** Public authorities sign at most 250 names, some of them 2,000. An empty name has two bytes and takes 150 in memory. */
export const MAX_NAMES = 2_000;
/** Of all certificates of a chain or a file, of which usually only the first one has any. */
export const MAX_NAMES_TOGETHER = 5_000;
/** For its issuer's certificate, or for its revocation lists. Usual ones have one or two. */
export const MAX_URLS = 100;

const SUBJECT_ALT_NAME = "2.5.29.17";
const AUTHORITY_INFORMATION_ACCESS = "1.3.6.1.5.5.7.1.1";
const CA_ISSUERS = "1.3.6.1.5.5.7.48.2";
const OCSP = "1.3.6.1.5.5.7.48.1";
const CRL_DISTRIBUTION_POINTS = "2.5.29.31";

/** IA5 text with escapes for unprintable characters, which cannot be part of a name. */
function printable(content: Uint8Array): string {
  const text = Buffer.from(content).toString("latin1");
  return text.replace(/[^\x20-\x7e]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

function toAltName({ tag, content }: Der): SubjectAltName[] {
  switch (tag - TAG.CONTEXT) {
    case 1:
      return [{ type: "email", value: printable(content) }];
    case 2:
      return [{ type: "dns", value: printable(content) }];
    case 6:
      return [{ type: "uri", value: printable(content) }];
    case 7:
      if (content.length !== 4 && content.length !== 16) return [];
      return [{ type: "ip", value: ipaddr.fromByteArray([...content]).toString() }];
    default:
      return [];
  }
}

/** The URLs for an access method of authority information access. */
function readAccess(extension: Uint8Array | undefined, wanted: string): string[] {
  if (extension === undefined) return [];
  return readAll(readDer(extension).element.content, MAX_URLS, "URLs of its authority").flatMap(({ content }) => {
    const [method, location] = readAll(content);
    if (readOid(method?.content ?? new Uint8Array()) !== wanted || location?.tag !== TAG.CONTEXT + 6) return [];
    return [printable(location.content)];
  });
}

/** Maximum number of names of a distribution point. */
const MAX_POINT_NAMES = 100;

/** The URLs in a DistributionPointName (RFC 5280, 4.2.1.13), inside its `[0]` tag. */
export function readPointUrls(point: Uint8Array): string[] {
  const name = readAll(point, MAX_POINT_NAMES).find(({ tag }) => tag === TAG.CONTEXT + TAG.CONSTRUCTED);
  const full = name && readAll(name.content, 1).find(({ tag }) => tag === TAG.CONTEXT + TAG.CONSTRUCTED);
  const names = full === undefined ? [] : readAll(full.content, MAX_POINT_NAMES);
  return names.flatMap(({ tag, content }) => (tag === TAG.CONTEXT + 6 ? [printable(content)] : []));
}

function readCrlUrls(extension: Uint8Array | undefined): string[] {
  if (extension === undefined) return [];
  const points = readAll(readDer(extension).element.content, MAX_URLS, "URLs of revocation lists");
  const urls = points.flatMap(({ content }) => readPointUrls(content));
  if (urls.length > MAX_URLS) throw new RangeError(`more than ${MAX_URLS} URLs of revocation lists`);
  return urls;
}

/** Fields of a TBSCertificate, whose version is optional. */
function readFixed(tbs: Der): Record<"serial" | "issuer" | "subject" | "publicKey", Der> {
  const fields = readAll(tbs.content);
  const at = fields[0]?.tag === TAG.CONTEXT + TAG.CONSTRUCTED ? 1 : 0;
  const [serial, , issuer, , subject, publicKey] = fields.slice(at);
  if (serial === undefined || issuer === undefined || subject === undefined || publicKey === undefined)
    throw new RangeError("no certificate");
  return { serial, issuer, subject, publicKey };
}

/** Converts Node's format: one relative name per line, least specific first, with RFC 4514 escapes. */
function oneLine(name: string | undefined): string {
  return (name ?? "").split("\n").reverse().join(",");
}

function commonNameOf(name: string | undefined): string | null {
  const values = (name ?? "").split("\n").flatMap((line) => (line.startsWith("CN=") ? [line.slice(3)] : []));
  const last = values.at(-1)?.replace(/\\([^0-9A-Fa-f])/g, "$1");
  return last === undefined ? null : visible(last);
}

function keyOf(x509: X509Certificate): Pick<Certificate, "keyType" | "keyBits"> {
  let key: KeyObject;
  try {
    key = x509.publicKey;
  } catch {
    return { keyType: "unknown", keyBits: null };
  }
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  const named = /\d{3}/.exec(namedCurve ?? "")?.[0];
  const bits =
    modulusLength ??
    (named === undefined ? { ed25519: 256, ed448: 456 }[String(key.asymmetricKeyType)] : Number(named));
  return { keyType: key.asymmetricKeyType ?? "unknown", keyBits: bits ?? null };
}

function readNames(extension: Uint8Array | undefined): SubjectAltName[] {
  if (extension === undefined) return [];
  return readAll(readDer(extension).element.content, MAX_NAMES, "subject alternative names").flatMap(toAltName);
}

function parse(der: Uint8Array, sha256: string): Certificate {
  const x509 = new X509Certificate(der);
  const [tbs, algorithm] = readAll(readDer(der).element.content);
  if (tbs === undefined || algorithm === undefined) throw new RangeError("no certificate");
  const listed = readExtensions(tbs);
  const extensions = new Map(listed.map(({ oid, value }) => [oid, value]));
  const access = extensions.get(AUTHORITY_INFORMATION_ACCESS);
  const fixed = readFixed(tbs);
  const usage = readUsage(listed);
  const [notBefore, notAfter] = [new Date(x509.validFrom), new Date(x509.validTo)];
  if (Number.isNaN(notBefore.getTime()) || Number.isNaN(notAfter.getTime())) throw new RangeError("no valid dates");
  return {
    x509,
    sha256,
    subject: visible(oneLine(x509.subject)),
    commonName: commonNameOf(x509.subject),
    issuer: visible(oneLine(x509.issuer)),
    serial: x509.serialNumber.toLowerCase(),
    serialBytes: Uint8Array.from(significantBytes(fixed.serial.content)),
    sans: readNames(extensions.get(SUBJECT_ALT_NAME)),
    notBefore,
    notAfter,
    ...keyOf(x509),
    signature: readSignatureAlgorithm(algorithm),
    isCa: x509.ca,
    usage,
    defects: [...usage.defects, ...fieldDefects(fixed, usage.basicConstraints?.isCa ?? x509.ca)],
    issuerUrls: readAccess(access, CA_ISSUERS),
    crlUrls: readCrlUrls(extensions.get(CRL_DISTRIBUTION_POINTS)),
    hasOcsp: readAccess(access, OCSP).length > 0,
    issuerDer: Uint8Array.from(fixed.issuer.raw),
    publicKeySha256: createHash("sha256").update(fixed.publicKey.raw).digest("hex"),
  };
}

/** About what a certificate takes in memory, in bytes, with what OpenSSL keeps of it: measured, and rounded up. */
export function memoryOf({ x509, sans, usage }: Certificate): number {
  return 4_000 + 5 * x509.raw.length + 150 * (sans.length + (usage.nameConstraints?.count ?? 0));
}

/** What is cached of parsed certificates: checks see mostly the same ones, and parsing costs more than the handshake. */
const MAX_KEPT = { count: 2_000, bytes: 64 * 2 ** 20 };
const kept = new RecentlyUsed<Certificate>(MAX_KEPT);

/** Parses a certificate from DER; a cached certificate is the same object. Throws MalformedCertificate. */
export function parseCertificate(der: Uint8Array): Certificate {
  if (der.length > MAX_DER_BYTES) throw new MalformedCertificate(`more than ${MAX_DER_BYTES / 1024} KiB`);
  const sha256 = createHash("sha256").update(der).digest("hex");
  const known = kept.get(sha256);
  if (known !== undefined) return known;
  const certificate = parseAnew(der, sha256);
  kept.set(sha256, certificate, { bytes: memoryOf(certificate) });
  return certificate;
}

/** Parses the certificates of a chain or a file. Throws MalformedCertificate, also for too many names together. */
export function parseTogether(ders: Iterable<Uint8Array>): Certificate[] {
  const certificates: Certificate[] = [];
  let names = 0;
  for (const der of ders) {
    const certificate = parseCertificate(der);
    names += certificate.sans.length;
    if (names > MAX_NAMES_TOGETHER)
      throw new MalformedCertificate(`more than ${MAX_NAMES_TOGETHER} subject alternative names in all certificates`);
    certificates.push(certificate);
  }
  return certificates;
}

function parseAnew(der: Uint8Array, sha256: string): Certificate {
  try {
    return parse(der, sha256);
  } catch (error) {
    throw new MalformedCertificate(error instanceof Error ? error.message : String(error));
  }
}

/** Parses certificates in DER and leaves out malformed ones: this release may be stricter than the one that stored them. */
export function parseReadable(ders: readonly Uint8Array[]): Certificate[] {
  return ders.flatMap((der) => {
    try {
      return parseCertificate(der);
    } catch (error) {
      if (error instanceof MalformedCertificate) return [];
      throw error;
    }
  });
}

/** The certificates in a PEM text in DER, in order; ignores text around them. */
export function derBlocks(pem: string): Buffer[] {
  const blocks = pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g);
  return [...blocks].map(([, body = ""]) => Buffer.from(body, "base64"));
}

/** The certificates in a PEM text, in order; ignores text around them. Throws MalformedCertificate. */
export function parsePem(pem: string): Certificate[] {
  return parseTogether(derBlocks(pem));
}

/** PEM (RFC 7468) of a certificate in DER. */
export function toPem(der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
