import { X509Certificate } from "node:crypto";

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a text in PEM; what is around them is ignored. */
export function pemBlocks(text: string): string[] {
  return text.match(BLOCK) ?? [];
}

/** Whether OpenSSL can read a certificate in PEM: of a list with one that it cannot read it trusts none. */
export function isReadableCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
