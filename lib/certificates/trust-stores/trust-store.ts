import { type Certificate, MalformedCertificate, parsePem } from "@/lib/certificates/x509/x509";
import { ConfigError } from "@/lib/config";
import { readPublicRoots } from "@/lib/network/public-roots";
import { processSingleton } from "@/lib/process-singleton";
import type { Root } from "@/lib/roots/certdata";

/** The certificates that an organization trusts, indexed by name. */
export interface TrustStore {
  /** Anchors with the name of `certificate`'s issuer; the caller must verify the signature. */
  candidates(certificate: Certificate): readonly Certificate[];
  /** Whether this very certificate is an anchor. */
  has(certificate: Certificate): boolean;
  /** Whether it is an anchor in browsers too, so that the rules for public authorities apply below it. */
  isPublic(certificate: Certificate): boolean;
  /** The time after which browsers distrust what this anchor issued; null for never. */
  distrustedAfter(certificate: Certificate): Date | null;
}

/** A trust store of only these certificates, indexed by fingerprint and by name. */
export function trustStoreOf(anchors: readonly Certificate[]): TrustStore {
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
    distrustedAfter: () => null,
  };
}

/** A trust store of only the given certificates in PEM. Throws MalformedCertificate. */
export function makeTrustStore(pem: string): TrustStore {
  return trustStoreOf(parsePem(pem));
}

/** Refuses an operator's roots if one of them would make every check fail. Throws ConfigError. */
export function requireReadableRoots(roots: readonly Pick<Root, "pem">[]): void {
  for (const [at, { pem }] of roots.entries()) {
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

/** A trust store of public roots, each with the time after which browsers distrust what it issued. */
export function makePublicStore(all: readonly { certificate: Certificate; distrustAfter: Date | null }[]): TrustStore {
  const roots = trustStoreOf(all.map(({ certificate }) => certificate));
  const ends = new Map(all.map(({ certificate: { sha256 }, distrustAfter }) => [sha256, distrustAfter]));
  return { ...roots, isPublic: roots.has, distrustedAfter: ({ sha256 }) => ends.get(sha256) ?? null };
}

/** The public roots of this installation, parsed once per process. */
export function publicRoots(): TrustStore {
  return processSingleton("certificates.public-roots", () => {
    const all = readPublicRoots().roots.flatMap(({ pem, distrustAfter }) =>
      parsePem(pem).map((certificate) => ({ certificate, distrustAfter })),
    );
    return makePublicStore(all);
  });
}

/** The union of two trust stores. */
export function both(one: TrustStore, other: TrustStore): TrustStore {
  return {
    candidates: (certificate) => [...one.candidates(certificate), ...other.candidates(certificate)],
    has: (certificate) => one.has(certificate) || other.has(certificate),
    isPublic: (certificate) => one.isPublic(certificate) || other.isPublic(certificate),
    // A store that trusts it without an end date takes precedence.
    distrustedAfter: (certificate) => {
      const stores = [one, other].filter((store) => store.has(certificate));
      const ends = stores.map((store) => store.distrustedAfter(certificate));
      return ends.includes(null) ? null : (ends[0] ?? null);
    },
  };
}
