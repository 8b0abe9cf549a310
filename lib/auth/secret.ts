import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "sw_";
const RANDOM = 40;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FORM = /^sw_[0-9A-Za-z]{46}$/;

/** Six base62 digits of the CRC-32 of `text`, so that scanners and the server know junk without a look-up. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let index = 0; index < 6; index++) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new API key secret: `sw_`, 40 random base62 characters (238 bits), 6 of checksum. */
export function newSecret(): string {
  let text = PREFIX;
  while (text.length < PREFIX.length + RANDOM) {
    // 248 is the largest multiple of 62 in a byte; bytes above it would favour the first characters.
    for (const byte of randomBytes(64)) {
      if (byte < 248 && text.length < PREFIX.length + RANDOM) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text + checksum(text);
}

/** Whether `text` has the form of a secret and its checksum is right. */
export function isSecret(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** What is stored instead of a secret: its SHA-256. 238 random bits need no slow hash. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** How a secret is shown later: `sw_Ab…x9Zk`. */
export function hintOf(secret: string): string {
  return `${secret.slice(0, 5)}…${secret.slice(-4)}`;
}
