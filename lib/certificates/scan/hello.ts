import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { TlsVersion } from "@/lib/certificates/scan-contract";

/** The numbers of versions in messages. */
export const VERSIONS: Record<TlsVersion, number> = {
  "TLSv1.3": 0x0304,
  "TLSv1.2": 0x0303,
  "TLSv1.1": 0x0302,
  TLSv1: 0x0301,
  SSLv3: 0x0300,
};

/** The post-quantum key exchange X25519MLKEM768 (draft-ietf-tls-ecdhe-mlkem). */
export const X25519MLKEM768 = 0x11ec;
/** X25519, P-256, P-384, P-521 and ffdhe2048. */
export const USUAL_GROUPS = [0x1d, 0x17, 0x18, 0x19, 0x100];

/** The offer to a server. */
export interface Offer {
  version: TlsVersion;
  suites: readonly number[];
  groups: readonly number[];
}

/** What a server chose; null if it refused. */
export interface Choice {
  version: number;
  suite: number;
  /** The group of the key exchange, which only TLS 1.3 names in the answer. */
  group: number | null;
}

/** The server does not answer with TLS. */
class NotTls extends Error {}

const [ALERT, HANDSHAKE] = [21, 22];
const FATAL = 2;
const [CLIENT_HELLO, SERVER_HELLO] = [1, 2];
const [SERVER_NAME, GROUPS, POINT_FORMATS, SIGNATURE_ALGORITHMS, SUPPORTED_VERSIONS, KEY_SHARE] = [
  0, 10, 11, 13, 43, 51,
];
/** Signals that renegotiation is secure (RFC 5746): some servers refuse hellos without it. */
const SCSV = 0xff;
/** ECDSA, RSA-PSS, RSA (PKCS #1) and Ed25519 with SHA-2, and with SHA-1. */
const SIGNATURES = [
  ...[0x0403, 0x0503, 0x0603, 0x0807, 0x0804, 0x0805, 0x0806, 0x0809, 0x080a, 0x080b],
  ...[0x0401, 0x0501, 0x0601, 0x0203, 0x0201],
];
/** A ServerHello is one of the first messages and short. */
const MAX_ANSWER_BYTES = 16_384;

const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const numbers = (values: readonly number[]) => Buffer.concat(values.map(u16));
/** Bytes after their length in `size` bytes. */
function sized(size: 1 | 2 | 3, ...parts: Uint8Array[]): Buffer {
  const bytes = Buffer.concat(parts);
  const length = Buffer.alloc(size);
  length.writeUIntBE(bytes.length, 0, size);
  return Buffer.concat([length, bytes]);
}
const extension = (type: number, body: Buffer) => Buffer.concat([u16(type), sized(2, body)]);

function extensionsOf({ version, groups }: Offer, name: string): Buffer[] {
  if (version === "SSLv3") return [];
  const common = [
    ...(isIP(name) === 0 ? [extension(SERVER_NAME, sized(2, Buffer.from([0]), sized(2, Buffer.from(name))))] : []),
    extension(GROUPS, sized(2, numbers(groups))),
    extension(POINT_FORMATS, Buffer.from([1, 0])),
  ];
  const signatures = extension(SIGNATURE_ALGORITHMS, sized(2, numbers(SIGNATURES)));
  if (version === "TLSv1.2") return [...common, signatures];
  if (version !== "TLSv1.3") return common;
  // Without a key, the server names its group in a HelloRetryRequest (RFC 8446, 4.1.4).
  const versions = extension(SUPPORTED_VERSIONS, sized(1, u16(VERSIONS[version])));
  return [...common, signatures, versions, extension(KEY_SHARE, sized(2))];
}

/** A ClientHello in its record. `name` is sent as SNI unless it is an address. */
export function clientHello(offer: Offer, name: string): Buffer {
  const legacyVersion = Math.min(VERSIONS[offer.version], VERSIONS["TLSv1.2"]);
  const extensions = extensionsOf(offer, name);
  const body = Buffer.concat([
    ...[u16(legacyVersion), randomBytes(32), sized(1)],
    ...[sized(2, numbers([...offer.suites, SCSV])), sized(1, Buffer.from([0]))],
    ...(extensions.length === 0 ? [] : [sized(2, ...extensions)]),
  ]);
  const message = Buffer.concat([Buffer.from([CLIENT_HELLO]), sized(3, body)]);
  return Buffer.concat([Buffer.from([HANDSHAKE]), u16(Math.min(legacyVersion, VERSIONS.TLSv1)), sized(2, message)]);
}

/** The first handshake message in the bytes of its records; undefined while it is incomplete. */
function firstMessage(bytes: Buffer): Buffer | undefined {
  return bytes.length < 4 || bytes.length < 4 + bytes.readUIntBE(1, 3) ? undefined : bytes;
}

/**
 * The answer to a ClientHello in the bytes received so far: what the server chose, null if it refuses, undefined while it is
 * incomplete. Throws NotTls, and RangeError for a malformed hello.
 */
export function readAnswer(received: Buffer): Choice | null | undefined {
  let bytes = Buffer.alloc(0);
  for (let at = 0; at < received.length; ) {
    const type = received[at];
    if (type !== HANDSHAKE && type !== ALERT) throw new NotTls();
    if (received.length < at + 5) return undefined;
    const [start, end] = [at + 5, at + 5 + received.readUInt16BE(at + 3)];
    // Warnings, such as that it does not know the name, may precede its hello.
    if (type === ALERT && received[start] === FATAL) return null;
    if (type === HANDSHAKE) bytes = Buffer.concat([bytes, received.subarray(start, end)]);
    const message = firstMessage(bytes);
    if (message !== undefined) {
      if (message[0] !== SERVER_HELLO) throw new NotTls();
      return readServerHello(message.subarray(4, 4 + message.readUIntBE(1, 3)));
    }
    at = end;
  }
  if (received.length > MAX_ANSWER_BYTES) throw new NotTls();
  return undefined;
}

function readServerHello(hello: Buffer): Choice {
  // Version, random and session id precede the suite; the compression method follows.
  let at = 35 + hello.readUInt8(34);
  const choice: Choice = { version: hello.readUInt16BE(0), suite: hello.readUInt16BE(at), group: null };
  // Before TLS 1.2 a hello may end here.
  for (at += 5; at + 4 <= hello.length; ) {
    const [type, length] = [hello.readUInt16BE(at), hello.readUInt16BE(at + 2)];
    if (type === SUPPORTED_VERSIONS) choice.version = hello.readUInt16BE(at + 4);
    if (type === KEY_SHARE) choice.group = hello.readUInt16BE(at + 4);
    at += 4 + length;
  }
  return choice;
}
