import { rootCertificates } from "node:tls";
import { type Certificate, parsePem } from "@/lib/certificates/x509/x509";
import { processSingleton } from "@/lib/process-singleton";

/** The certificates an organization believes without proof, found by name. */
export interface TrustStore {
  /** Trust anchors named like the issuer of `certificate`; whether one really signed it is for the caller to check. */
  candidates(certificate: Certificate): readonly Certificate[];
  /** Whether the very certificate is an anchor. */
  has(certificate: Certificate): boolean;
  /** Whether it is an anchor that browsers have too, so that the rules for public authorities hold below it. */
  isPublic(certificate: Certificate): boolean;
}

/** The same certificates under both of their keys. */
function index(anchors: readonly Certificate[]): TrustStore {
  const bySubject = new Map<string, Certificate[]>();
  const fingerprints = new Set<string>();
  for (const anchor of anchors) {
    bySubject.set(anchor.subject, [...(bySubject.get(anchor.subject) ?? []), anchor]);
    fingerprints.add(anchor.sha256);
  }
  return {
    candidates: (certificate) => bySubject.get(certificate.issuer) ?? [],
    has: (certificate) => fingerprints.has(certificate.sha256),
    isPublic: () => false,
  };
}

/** A trust store of certificates in PEM; nothing else is trusted. Throws MalformedCertificate. */
export function makeTrustStore(pem: string): TrustStore {
  return index(parsePem(pem));
}

/** Mozilla's roots as they come with Node, parsed once per process. */
export function publicRoots(): TrustStore {
  return processSingleton("certificates.public-roots", () => {
    const roots = index(rootCertificates.flatMap((pem) => parsePem(pem)));
    return { ...roots, isPublic: roots.has };
  });
}

/** What either trusts. */
export function both(one: TrustStore, other: TrustStore): TrustStore {
  return {
    candidates: (certificate) => [...one.candidates(certificate), ...other.candidates(certificate)],
    has: (certificate) => one.has(certificate) || other.has(certificate),
    isPublic: (certificate) => one.isPublic(certificate) || other.isPublic(certificate),
  };
}
