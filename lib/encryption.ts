import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { requireSetting } from "@/lib/config";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of everything sealed, so that another format can be added later. */
const VERSION = 1;

/**
 * Encrypts text for the database with ENCRYPTION_KEY. It can be decrypted only with the same `boundTo`, so that one row's
 * secret cannot be copied into another. Format: a version byte, a random IV, the tag, the ciphertext.
 */
export function seal(text: string, boundTo: string): Buffer<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, requireSetting("ENCRYPTION_KEY"), iv).setAAD(Buffer.from(boundTo));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), encrypted]);
}

/** Decrypts the output of `seal`. Throws if the key or `boundTo` differs, or if any bit has changed. */
export function unseal(sealed: Uint8Array, boundTo: string): string {
  if (sealed[0] !== VERSION) throw new Error("unknown format of sealed data");
  const iv = sealed.subarray(1, 1 + IV_BYTES);
  const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, requireSetting("ENCRYPTION_KEY"), iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(tag);
  const encrypted = sealed.subarray(1 + IV_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString("utf8");
}
