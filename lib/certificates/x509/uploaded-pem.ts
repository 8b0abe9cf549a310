import { type Certificate, MalformedCertificate, parsePem, toPem } from "@/lib/certificates/x509/x509";
import { invalid } from "@/lib/http/errors";

const MAX_CERTIFICATES = 100;

/** The certificates of a PEM that somebody sent as `pem`. Throws 400. */
export function readUploadedPem(pem: string): [Certificate, ...Certificate[]] {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem))
    throw invalid("pem", "must not hold a private key: change that key, it has left your hands");
  let certificates: Certificate[];
  try {
    certificates = parsePem(pem);
  } catch (error) {
    if (!(error instanceof MalformedCertificate)) throw error;
    throw invalid("pem", `holds a certificate that cannot be read (${error.message})`);
  }
  const [first, ...others] = certificates;
  if (first === undefined) throw invalid("pem", "must hold at least one certificate (-----BEGIN CERTIFICATE-----)");
  if (certificates.length > MAX_CERTIFICATES)
    throw invalid("pem", `must hold at most ${MAX_CERTIFICATES} certificates`);
  return [first, ...others];
}

/** PEM of certificates, one after the other. */
export function writePem(certificates: readonly Certificate[]): string {
  return certificates.map(({ x509 }) => toPem(x509.raw)).join("");
}
