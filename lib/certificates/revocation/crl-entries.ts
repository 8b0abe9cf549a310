import { TAG } from "@/lib/der";

/** Where the content of the element at `at` begins. */
function contentOf(bytes: Uint8Array, at: number): number {
  const short = bytes[at + 1] ?? 0;
  return at + 2 + (short < 0x80 ? 0 : short & 0x7f);
}

/** Where the element at `at` ends, whose content begins at `start`. Throws a RangeError if that is after `limit`. */
function endOf(bytes: Uint8Array, at: number, start: number, limit: number): number {
  const short = bytes[at + 1] ?? 0;
  if (short === 0x80 || short > 0x84) throw new RangeError("no definite length");
  let length = short < 0x80 ? short : 0;
  for (let n = at + 2; n < start; n++) length = length * 256 + (bytes[n] ?? 0);
  if (start + length > limit) throw new RangeError("cut off");
  return start + length;
}

function hasBytes(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let n = 0; n < wanted.length; n++) if (bytes[at + n] !== wanted[n]) return false;
  return true;
}

/**
 * The entry, in DER, of a serial number without leading zeros in a list's revokedCertificates; null if there is none. Creates no object
 * per entry and keeps no index: each list is asked about few certificates, and an index has a worst case that anybody may cause.
 * Throws a RangeError if an entry before is malformed.
 */
export function findEntry(list: Uint8Array, serial: Uint8Array): Uint8Array | null {
  for (let at = 0; at < list.length; ) {
    const start = contentOf(list, at);
    if (list[at] !== TAG.SEQUENCE || list[start] !== TAG.INTEGER) throw new RangeError("no entry");
    const end = endOf(list, at, start, list.length);
    let digits = contentOf(list, start);
    const digitsEnd = endOf(list, start, digits, end);
    while (digits < digitsEnd && list[digits] === 0) digits++;
    if (digitsEnd - digits === serial.length && hasBytes(list, digits, serial)) return list.subarray(at, end);
    at = end;
  }
  return null;
}
