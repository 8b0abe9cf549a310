import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { config, requireSetting } from "@/lib/config";
import { processSingleton } from "@/lib/process-singleton";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** First byte of everything sealed, so that another format can be added later. */
const VERSION = 1;

/** The files of the keys in DATA_DIR, used unless ENCRYPTION_KEY is set: 32 bytes in base64 each. */
export const ENCRYPTION_KEY_FILE = "encryption.key";
export const ENCRYPTION_KEY_BEFORE_FILE = "encryption-before.key";

/** The first key encrypts; while the key is being changed, a second one is accepted too. */
type Keys = readonly [current: Buffer, other?: Buffer];

/** The keys in files that opened something last, because files are not read for every secret. */
const known = processSingleton("encryption.keys", (): { keys?: Keys } => ({}));

/** The keys as they are now: those in DATA_DIR can be changed while processes run. Throws ConfigError, or if a file cannot be read. */
export function readEncryptionKeys(): Keys {
  const { ENCRYPTION_KEY, ENCRYPTION_KEY_OTHER, DATA_DIR } = config();
  if (ENCRYPTION_KEY !== undefined)
    return ENCRYPTION_KEY_OTHER ? [ENCRYPTION_KEY, ENCRYPTION_KEY_OTHER] : [ENCRYPTION_KEY];
  const before = readKey(join(DATA_DIR, ENCRYPTION_KEY_BEFORE_FILE));
  const current = readKey(join(DATA_DIR, ENCRYPTION_KEY_FILE)) ?? requireSetting("ENCRYPTION_KEY");
  // Equal in the moment in which the file is copied, before the new key replaces it.
  return before === null || before.equals(current) ? [current] : [current, before];
}

function readKey(file: string): Buffer | null {
  try {
    const key = Buffer.from(readFileSync(file, "utf8").trim(), "base64");
    if (key.length !== KEY_BYTES) throw new Error(`${file} must have ${KEY_BYTES} bytes in base64.`);
    return key;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Encrypts text for the database with the present key. It can be decrypted only with the same `boundTo`, so that one row's
 * secret cannot be copied into another. Format: a version byte, a random IV, the tag, the ciphertext.
 */
export function seal(text: string, boundTo: string): Buffer<ArrayBuffer> {
  // Read every time: after a change, nothing is encrypted with the key before.
  return sealWith(readEncryptionKeys()[0], text, boundTo);
}

function sealWith(key: Buffer, text: string, boundTo: string): Buffer<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(boundTo));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), encrypted]);
}

/** Decrypts the output of `seal`. Throws if no key of now fits, if `boundTo` differs, or if any bit has changed. */
export function unseal(sealed: Uint8Array, boundTo: string): string {
  if (sealed[0] !== VERSION) throw new Error("unknown format of sealed data");
  const isInFiles = config().ENCRYPTION_KEY === undefined;
  const opened = isInFiles && known.keys ? firstOpened(known.keys, sealed, boundTo) : undefined;
  if (opened !== undefined) return opened;
  // The keys may have been changed since.
  const keys = readEncryptionKeys();
  const text = firstOpened(keys, sealed, boundTo);
  if (text === undefined) throw new Error("sealed with another key, for another place, or changed");
  known.keys = keys;
  return text;
}

/** Decrypts with one key. Undefined if it does not fit. */
export function unsealWith(key: Buffer, sealed: Uint8Array, boundTo: string): string | undefined {
  const iv = sealed.subarray(1, 1 + IV_BYTES);
  const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(boundTo))
      .setAuthTag(tag);
    const encrypted = sealed.subarray(1 + IV_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

function firstOpened(keys: Keys, sealed: Uint8Array, boundTo: string): string | undefined {
  for (const key of keys) {
    const text = key && unsealWith(key, sealed, boundTo);
    if (text !== undefined) return text;
  }
  return undefined;
}
