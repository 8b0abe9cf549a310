import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "sw_";
const RANDOM = 40;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FORM = /^sw_[0-9A-Za-z]{46}$/;

/** Six base62 digits of the CRC-32 of `text`, so that scanners and the server can recognize invalid secrets without a look-up. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let index = 0; index < 6; index++) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new API key secret: `sw_`, 40 random base62 characters (238 bits) and a checksum of 6. */
export function newSecret(): string {
  let text = PREFIX;
  while (text.length < PREFIX.length + RANDOM) {
    // 248 is the largest multiple of 62 that fits in a byte; larger bytes would favor the first characters.
    for (const byte of randomBytes(64)) {
      if (byte < 248 && text.length < PREFIX.length + RANDOM) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text + checksum(text);
}

/** Whether `text` has the format of a secret and a valid checksum. */
export function isSecret(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** The SHA-256 of a secret, which is stored in its place. 238 random bits need no slow hash. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** The form in which a secret is shown later: `sw_Ab…x9Zk`. */
export function hintOf(secret: string): string {
  return `${secret.slice(0, 5)}…${secret.slice(-4)}`;
}
