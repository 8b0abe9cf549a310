/**
 * The bytes of canonical standard base64 (RFC 4648, section 4), or null: missing padding, unused bits that are set, and characters
 * outside of the alphabet are refused, so that one value has one text. With `length`, other lengths are refused too.
 */
export function decodeBase64(text: string, length?: number): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  if (length !== undefined && bytes.length !== length) return null;
  return bytes.toString("base64") === text ? bytes : null;
}

/** Standard base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}
