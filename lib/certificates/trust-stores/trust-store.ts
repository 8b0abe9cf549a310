import { type Certificate, MalformedCertificate, parsePem } from "@/lib/certificates/x509/x509";
import { ConfigError } from "@/lib/config";
import { readPublicRoots } from "@/lib/network/public-roots";
import { processSingleton } from "@/lib/process-singleton";

/** The certificates that an organization trusts, indexed by name. */
export interface TrustStore {
  /** Anchors with the name of `certificate`'s issuer; the caller must verify the signature. */
  candidates(certificate: Certificate): readonly Certificate[];
  /** Whether this very certificate is an anchor. */
  has(certificate: Certificate): boolean;
  /** Whether it is an anchor in browsers too, so that the rules for public authorities apply below it. */
  isPublic(certificate: Certificate): boolean;
}

/** The anchors indexed by fingerprint and by name. */
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

/** A trust store of only the given certificates in PEM. Throws MalformedCertificate. */
export function makeTrustStore(pem: string): TrustStore {
  return index(parsePem(pem));
}

/** Refuses an operator's roots of which one would make every check fail. Throws ConfigError. */
export function requireReadableRoots(pems: readonly string[]): void {
  for (const [at, pem] of pems.entries()) {
    try {
      parsePem(pem);
    } catch (error) {
      if (!(error instanceof MalformedCertificate)) throw error;
      throw new ConfigError(
        `PUBLIC_ROOTS_FILE must have certificates that can be parsed; the ${at + 1}. cannot be (${error.message}).`,
      );
    }
  }
}

/** The public roots of this installation, parsed once per process. */
export function publicRoots(): TrustStore {
  return processSingleton("certificates.public-roots", () => {
    const roots = index(readPublicRoots().pem.flatMap((pem) => parsePem(pem)));
    return { ...roots, isPublic: roots.has };
  });
}

/** The union of two trust stores. */
export function both(one: TrustStore, other: TrustStore): TrustStore {
  return {
    candidates: (certificate) => [...one.candidates(certificate), ...other.candidates(certificate)],
    has: (certificate) => one.has(certificate) || other.has(certificate),
    isPublic: (certificate) => one.isPublic(certificate) || other.isPublic(certificate),
  };
}
