export const SECRET_PREFIX = "sw_";
export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECKSUM_LENGTH = 6;
const FORM = /^sw_[0-9A-Za-z]{46}$/;

/** CRC-32 (ISO 3309), bit by bit: the browser has none, and a secret is short. */
function crc32(text: string): number {
  let rest = 0xffffffff;
  for (const character of text) {
    rest ^= character.charCodeAt(0);
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return ~rest >>> 0;
}

/** Six base62 digits of the CRC-32 of ASCII `text`, so that scanners, the server and the browser recognize invalid secrets without a look-up. */
export function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Whether `text` has the format of a secret and a valid checksum. */
export function isSecret(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The form in which a secret is shown later: `sw_Ab…x9Zk`. */
export function hintOf(secret: string): string {
  return `${secret.slice(0, 5)}…${secret.slice(-4)}`;
}
