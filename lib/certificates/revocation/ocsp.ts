import { createHash } from "node:crypto";
import type { StapleVerdict } from "@/lib/certificates/judge/judge-staple";
import { REVOCATION_REASONS } from "@/lib/certificates/revocation/reasons";
import { isSigned } from "@/lib/certificates/revocation/signature";
import { type Certificate, parseReadable } from "@/lib/certificates/x509/x509";
import { type Der, isTime, readAll, readDer, readOid, readTime, significantBytes, TAG } from "@/lib/der";

/** The status of one certificate in a response (RFC 6960, 4.2.1). */
interface Single {
  hash: string | null;
  nameHash: Uint8Array;
  keyHash: Uint8Array;
  /** In DER, without leading zeros. */
  serial: Uint8Array;
  status: { state: "good" | "unknown" } | { state: "revoked"; revokedAt: Date; reason: string | null };
  thisUpdate: Date;
  nextUpdate: Date | null;
}

interface Response {
  tbs: Der;
  algorithm: Der;
  signature: Der;
  singles: Single[];
  /** Certificates in DER of authorized responders. */
  signers: Uint8Array[];
}

const BASIC = "1.3.6.1.5.5.7.48.1.1";
const STATUSES: Record<number, string> = {
  1: "malformed_request",
  2: "internal_error",
  3: "try_later",
  5: "signature_required",
  6: "unauthorized",
};
const HASHES: Record<string, string> = {
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};
/** Each costs a signature verification. */
const MAX_SIGNERS = 3;
/** Tolerated clock skew in milliseconds. */
const SKEW_MS = 5 * 60_000;
/** Milliseconds for which a response without an expiry is valid, as in Firefox. */
const DEFAULT_VALIDITY_MS = 24 * 3_600_000;

const NONE = new Uint8Array();

function need(element: Der | undefined, tag: number): Der {
  if (element?.tag !== tag) throw new RangeError("unexpected element");
  return element;
}

const explicit = (n: number) => TAG.CONTEXT + TAG.CONSTRUCTED + n;

function readStatus({ tag, content }: Der): Single["status"] {
  if (tag === TAG.CONTEXT) return { state: "good" };
  if (tag === TAG.CONTEXT + 2) return { state: "unknown" };
  if (tag !== explicit(1)) throw new RangeError("unexpected status");
  const [time, wrapped] = readAll(content);
  const [code] = wrapped === undefined ? [] : readDer(wrapped.content).element.content;
  return {
    state: "revoked",
    revokedAt: readTime(need(time, TAG.GENERALIZED_TIME)),
    reason: code === undefined ? null : (REVOCATION_REASONS[code] ?? null),
  };
}

function readSingle({ content }: Der): Single {
  const [id, status, thisUpdate, ...others] = readAll(content);
  const [algorithm, nameHash, keyHash, serial] = readAll(need(id, TAG.SEQUENCE).content);
  const [oid] = readAll(need(algorithm, TAG.SEQUENCE).content);
  const until = others.find(({ tag }) => tag === explicit(0));
  const end = until && readDer(until.content).element;
  if (status === undefined || !isTime(thisUpdate)) throw new RangeError("no status");
  return {
    hash: HASHES[readOid(oid?.content ?? NONE)] ?? null,
    nameHash: need(nameHash, TAG.OCTET_STRING).content,
    keyHash: need(keyHash, TAG.OCTET_STRING).content,
    serial: significantBytes(need(serial, TAG.INTEGER).content),
    status: readStatus(status),
    thisUpdate: readTime(thisUpdate),
    nextUpdate: end === undefined ? null : readTime(end),
  };
}

/** Parses a response; a string is the error with which the responder refused. Throws a RangeError if it is malformed. */
function parse(der: Uint8Array): Response | string {
  const [status, wrapped] = readAll(readDer(der).element.content);
  const code = status?.content[0];
  if (code === undefined) throw new RangeError("no response");
  if (code !== 0) return STATUSES[code] ?? `status ${code}`;
  const [type, octets] = readAll(readDer(need(wrapped, explicit(0)).content).element.content);
  if (readOid(need(type, TAG.OID).content) !== BASIC) throw new RangeError("not a basic response");
  const [tbs, algorithm, signature, certificates] = readAll(
    readDer(need(octets, TAG.OCTET_STRING).content).element.content,
  );
  const fields = readAll(need(tbs, TAG.SEQUENCE).content);
  const list = fields.find(({ tag }) => tag === TAG.SEQUENCE);
  const signers = certificates === undefined ? [] : readAll(readDer(certificates.content).element.content);
  return {
    tbs: need(tbs, TAG.SEQUENCE),
    algorithm: need(algorithm, TAG.SEQUENCE),
    signature: need(signature, TAG.BIT_STRING),
    singles: readAll(need(list, TAG.SEQUENCE).content).map(readSingle),
    signers: signers.slice(0, MAX_SIGNERS).map(({ raw }) => raw),
  };
}

/** The bits of the issuer's key, without its algorithm. */
function keyBits({ x509 }: Certificate): Uint8Array {
  const spki = x509.publicKey.export({ type: "spki", format: "der" });
  const [, bits] = readAll(readDer(spki).element.content);
  return need(bits, TAG.BIT_STRING).content.subarray(1);
}

function isAbout({ hash, nameHash, keyHash, serial }: Single, certificate: Certificate, issuer: Certificate): boolean {
  if (hash === null || Buffer.compare(serial, certificate.serialBytes) !== 0) return false;
  const digest = (bytes: Uint8Array) => createHash(hash).update(bytes).digest();
  return digest(certificate.issuerDer).equals(nameHash) && digest(keyBits(issuer)).equals(keyHash);
}

/** Whether the issuer authorized this certificate to sign responses (RFC 6960, 4.2.2.2). */
function mayRespond(signer: Certificate, issuer: Certificate, now: Date): boolean {
  if (!signer.usage.extendedKeyUsages?.includes("ocsp_signing")) return false;
  if (signer.notBefore > now || signer.notAfter < now) return false;
  return signer.x509.checkIssued(issuer.x509) && signer.x509.verify(issuer.x509.publicKey);
}

function isAuthentic(response: Response, issuer: Certificate, now: Date): boolean {
  if (isSigned(response, issuer)) return true;
  return parseReadable(response.signers).some(
    (signer) => mayRespond(signer, issuer, now) && isSigned(response, signer),
  );
}

function invalid(why: Extract<StapleVerdict, { state: "invalid" }>["why"], detail: string | null = null) {
  return { state: "invalid" as const, why, detail };
}

function judge(response: Response, certificate: Certificate, issuer: Certificate, now: Date): StapleVerdict {
  const single = response.singles.find((each) => isAbout(each, certificate, issuer));
  if (single === undefined) return invalid("other_certificate");
  if (!isAuthentic(response, issuer, now)) return invalid("bad_signature");
  const { thisUpdate, nextUpdate, status } = single;
  const end = nextUpdate ?? new Date(thisUpdate.getTime() + DEFAULT_VALIDITY_MS);
  if (thisUpdate.getTime() - now.getTime() > SKEW_MS) return invalid("not_yet_valid", thisUpdate.toISOString());
  if (now.getTime() - end.getTime() > SKEW_MS) return invalid("outdated", end.toISOString());
  if (status.state === "unknown") return invalid("unknown_certificate");
  return status.state === "revoked" ? status : { state: "good" };
}

/** The status in a stapled response, if the issuer or a certificate authorized by it signed the response. Never throws. */
export function readStaple(
  staple: Uint8Array | null,
  certificate: Certificate,
  issuer: Certificate | undefined,
  now: Date,
): StapleVerdict {
  if (staple === null) return { state: "absent" };
  try {
    const response = parse(staple);
    if (typeof response === "string") return invalid("responder_error", response);
    return issuer === undefined ? { state: "unchecked" } : judge(response, certificate, issuer, now);
  } catch (error) {
    return invalid("malformed", error instanceof Error ? error.message : null);
  }
}
