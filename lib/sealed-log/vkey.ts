import type { KeyObject } from "node:crypto";
import { decodeBase64, encodeBase64 } from "@/lib/sealed-log/base64";
import { KEY_BYTES, publicKeyOf } from "@/lib/sealed-log/ed25519";
import { FormatError } from "@/lib/sealed-log/format-error";
import { sha256 } from "@/lib/sealed-log/tree";

/** The signature types of C2SP signed-note that occur here. */
export const ED25519 = 1;
export const COSIGNATURE = 4;

/** Bytes of a key id. */
export const KEY_ID_BYTES = 4;
const NAME = /^[^\p{White_Space}\p{Cc}+]+$/u;

/** A key that verifies notes. `type` is ED25519 for a log, COSIGNATURE for a witness. */
export interface VerifierKey {
  name: string;
  /** Four bytes in lower-case hex. */
  id: string;
  type: typeof ED25519 | typeof COSIGNATURE;
  /** 32 bytes. */
  publicKey: Buffer;
}

/** Whether `name` can be the name of a key: not empty, without white space, control characters and plus. */
export function isKeyName(name: string): boolean {
  return NAME.test(name);
}

/** The verifier key of a public key. Throws FormatError if `name` cannot be the name of a key. */
export function verifierKey(name: string, publicKey: Buffer, type: VerifierKey["type"] = ED25519): VerifierKey {
  if (!isKeyName(name)) throw new FormatError(`“${name}” cannot be the name of a key.`);
  if (publicKey.length !== KEY_BYTES) throw new FormatError(`An Ed25519 key has ${KEY_BYTES} bytes.`);
  const hashed = sha256(Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), publicKey]));
  return { name, id: hashed.toString("hex", 0, KEY_ID_BYTES), type, publicKey };
}

/** The verifier key of a private key. */
export function verifierKeyOf(name: string, key: KeyObject, type: VerifierKey["type"] = ED25519): VerifierKey {
  return verifierKey(name, publicKeyOf(key), type);
}

/** `<name>+<key id in hex>+<base64(type ‖ public key)>`. */
export function formatVkey({ name, id, type, publicKey }: VerifierKey): string {
  return `${name}+${id}+${encodeBase64(Buffer.concat([Buffer.of(type), publicKey]))}`;
}

/** Reads a vkey. Throws FormatError unless it is well-formed, of a known type, and its key id is the right one. */
export function parseVkey(text: string): VerifierKey {
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/u.exec(text) ?? [];
  if (name === undefined || id === undefined || encoded === undefined) {
    throw new FormatError("A verifier key has the form name+key id+key.");
  }
  const bytes = decodeBase64(encoded, 1 + KEY_BYTES);
  const type = bytes?.[0];
  if (!bytes || (type !== ED25519 && type !== COSIGNATURE)) {
    throw new FormatError("The verifier key is not an Ed25519 key of a log or a witness.");
  }
  const key = verifierKey(name, bytes.subarray(1), type);
  if (key.id !== id) throw new FormatError(`The id of the verifier key is ${key.id}, not ${id}.`);
  return key;
}
