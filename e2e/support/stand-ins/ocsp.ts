import { createHash, createPrivateKey, sign } from "node:crypto";
import type { TestCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { readAll, readDer } from "@/lib/der";

/** A DER element with this tag. */
export function wrap(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const hex = (text: string) => Buffer.from(text, "hex");
const SHA1 = wrap(0x30, hex("06052b0e03021a"), hex("0500"));
const ECDSA_SHA256 = wrap(0x30, hex("06082a8648ce3d040302"));
const BASIC = hex("06092b0601050507300101");

function time(hours: number): Buffer {
  const at = new Date(Date.now() + hours * 3_600_000).toISOString();
  return wrap(0x18, Buffer.from(`${at.replace(/[-:T]|\..*/g, "")}Z`));
}

/** The fields of a certificate that its id in a response has: the issuer's name, its own key and serial number. */
function fieldsOf({ der }: TestCertificate) {
  const [tbs] = readAll(readDer(der).element.content);
  const [, serial, , issuer, , , key] = readAll(tbs?.content ?? new Uint8Array());
  const [, bits] = readAll(key?.content ?? new Uint8Array());
  const raw = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []);
  return { serial: raw(serial?.raw), issuer: raw(issuer?.raw), key: raw(bits?.content.subarray(1)) };
}

export interface OcspResponseOptions {
  /** The certificate that it is about, and its issuer. */
  about: TestCertificate;
  issuer: TestCertificate;
  status?: "good" | "revoked" | "unknown";
  /** Hours from now; negative for the past. */
  fromHours?: number;
  untilHours?: number | null;
  /** Who signs it; by default the issuer. A responder's certificate is included. */
  signer?: TestCertificate;
  /** Included before the responder's certificate, in DER. */
  extra?: Buffer[];
}

/** An OCSP response (RFC 6960) as a server staples it, signed with an elliptic curve key, in DER. */
export function makeOcspResponse(options: OcspResponseOptions): Buffer {
  const { about, issuer, status = "good", fromHours = -1, untilHours = 24, signer = issuer, extra = [] } = options;
  const { serial, issuer: name } = fieldsOf(about);
  const digest = (bytes: Buffer) => wrap(0x04, createHash("sha1").update(bytes).digest());
  const id = wrap(0x30, SHA1, digest(name), digest(fieldsOf(issuer).key), serial);
  const statuses = {
    good: hex("8000"),
    unknown: hex("8200"),
    revoked: wrap(0xa1, time(-2), wrap(0xa0, hex("0a0101"))),
  };
  const until = untilHours === null ? [] : [wrap(0xa0, time(untilHours))];
  const single = wrap(0x30, id, statuses[status], time(fromHours), ...until);
  const responder = wrap(0xa2, digest(fieldsOf(signer).key));
  const tbs = wrap(0x30, responder, time(fromHours), wrap(0x30, single));
  const signature = sign("sha256", tbs, createPrivateKey(signer.keyPem));
  const included = signer === issuer ? [] : [wrap(0xa0, wrap(0x30, ...extra, signer.der))];
  const basic = wrap(0x30, tbs, ECDSA_SHA256, wrap(0x03, Buffer.from([0]), signature), ...included);
  return wrap(0x30, hex("0a0100"), wrap(0xa0, wrap(0x30, BASIC, wrap(0x04, basic))));
}
