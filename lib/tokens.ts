import { createHash, randomBytes } from "node:crypto";

/** 256 random bits, for a path. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form of a token: its SHA-256. 256 random bits need no slow hash. */
export function hashToken(token: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash("sha256").update(token).digest());
}

/** Whether text has the form of a token. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
