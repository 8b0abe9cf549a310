import { type Certificate, derBlocks, MalformedCertificate, parseTogether, toPem } from "@/lib/certificates/x509/x509";
import { invalid } from "@/lib/http/errors";

const MAX_CERTIFICATES = 100;

/** The certificates of a submitted `pem`, at most `most`. Throws 400. */
export function readUploadedPem(pem: string, most = MAX_CERTIFICATES): [Certificate, ...Certificate[]] {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem))
    throw invalid("pem", "must not contain a private key; the submitted key is compromised, so replace it");
  const ders = derBlocks(pem);
  if (ders.length > most) throw invalid("pem", `must contain at most ${most} certificates`);
  let certificates: Certificate[];
  try {
    certificates = parseTogether(ders);
  } catch (error) {
    if (!(error instanceof MalformedCertificate)) throw error;
    throw invalid("pem", `contains a certificate that cannot be parsed (${error.message})`);
  }
  const [first, ...others] = certificates;
  if (first === undefined) throw invalid("pem", "must contain at least one certificate (-----BEGIN CERTIFICATE-----)");
  return [first, ...others];
}

/** The concatenated PEM of certificates. */
export function writePem(certificates: readonly Certificate[]): string {
  return certificates.map(({ x509 }) => toPem(x509.raw)).join("");
}
