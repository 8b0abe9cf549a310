import { rootCertificates } from "node:tls";
import { type Certificate, parseCertificate } from "@/lib/certificates/x509";
import { once } from "@/lib/once";

/** The certificates an organization believes without proof, found by name. */
export interface TrustStore {
  /** Trust anchors named like the issuer of `certificate`; whether one really signed it is for the caller to check. */
  candidates(certificate: Certificate): readonly Certificate[];
  /** Whether the very certificate is an anchor. */
  has(certificate: Certificate): boolean;
}

function derOf(pem: string): Uint8Array {
  return Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64");
}

/** A trust store of PEM certificates, one in each string. Throws MalformedCertificate. */
export function makeTrustStore(pems: readonly string[]): TrustStore {
  const bySubject = new Map<string, Certificate[]>();
  const fingerprints = new Set<string>();
  for (const pem of pems) {
    const anchor = parseCertificate(derOf(pem));
    bySubject.set(anchor.subject, [...(bySubject.get(anchor.subject) ?? []), anchor]);
    fingerprints.add(anchor.sha256);
  }
  return {
    candidates: (certificate) => bySubject.get(certificate.issuer) ?? [],
    has: (certificate) => fingerprints.has(certificate.sha256),
  };
}

/** Mozilla's roots as they come with Node, parsed once per process. */
export function publicRoots(): TrustStore {
  return once("certificates.public-roots", () => makeTrustStore(rootCertificates));
}
