import { readDetails } from "@/lib/certificates/x509/details";
import type { Certificate } from "@/lib/certificates/x509/x509";
import { readAll, readDer, TAG } from "@/lib/der";

/** The serial number as encoded, with the zero byte before a set sign bit. */
function serialBytes({ x509 }: Certificate): Uint8Array {
  const [tbs] = readAll(readDer(x509.raw).element.content);
  const serial = readAll(tbs?.content ?? new Uint8Array()).find(({ tag }) => tag === TAG.INTEGER);
  return serial?.content ?? new Uint8Array();
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/** The identifier of a certificate in renewal information (RFC 9773, 4.1): key identifier of its issuer and serial number. */
export function toCertId(authorityKeyId: Uint8Array, serial: Uint8Array): string {
  return `${base64url(authorityKeyId)}.${base64url(serial)}`;
}

/** Octets of a serial number (RFC 5280, 4.1.2.2), and of a key's identifier, which are digests. */
const [MAX_SERIAL, MAX_KEY_ID] = [20, 64];

/** The identifier of a certificate; null if it names no key of its issuer, or one or a serial number of an unusual length. */
export function certIdOf(certificate: Certificate): string | null {
  const { authorityKeyId } = readDetails(certificate);
  if (authorityKeyId === null) return null;
  const [keyId, serial] = [Buffer.from(authorityKeyId, "hex"), serialBytes(certificate)];
  return keyId.length > MAX_KEY_ID || serial.length > MAX_SERIAL ? null : toCertId(keyId, serial);
}
