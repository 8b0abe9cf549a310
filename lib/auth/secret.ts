import { createHash, randomBytes } from "node:crypto";
import { BASE62, checksum, SECRET_PREFIX } from "@/lib/auth/secret-form";

const RANDOM = 40;

/** A new API key secret: `sw_`, 40 random base62 characters (238 bits) and a checksum of 6. */
export function newSecret(): string {
  let text = SECRET_PREFIX;
  while (text.length < SECRET_PREFIX.length + RANDOM) {
    // 248 is the largest multiple of 62 that fits in a byte; larger bytes would favor the first characters.
    for (const byte of randomBytes(64)) {
      if (byte < 248 && text.length < SECRET_PREFIX.length + RANDOM) text += BASE62.charAt(byte % 62);
    }
  }
  return text + checksum(text);
}

/** The SHA-256 of a secret, which is stored in its place. 238 random bits need no slow hash. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
