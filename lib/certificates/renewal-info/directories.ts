import { isExpectedIssuer } from "@/lib/certificates/judge/policy";

interface Directory {
  authority: string;
  /** Its names (O) in issuers. */
  organizations: readonly string[];
  url: string;
  source: string;
}

/** ACME directories of public authorities that publish renewal information (RFC 9773) there. */
export const acmeDirectories: readonly Directory[] = [
  {
    authority: "Let's Encrypt",
    organizations: ["Let's Encrypt"],
    url: "https://acme-v02.api.letsencrypt.org/directory",
    source: "https://letsencrypt.org/2024/04/25/guide-to-integrating-ari-into-existing-acme-clients.html",
  },
  {
    authority: "Google Trust Services",
    organizations: ["Google Trust Services", "Google Trust Services LLC"],
    url: "https://dv.acme-v02.api.pki.goog/directory",
    source: "https://developers.google.com/public-key-infrastructure/updates/september2025-acme-best-practices",
  },
];

/** The operator's directories, each with a name of its issuer; null for an issuer that must not be asked. */
type OwnDirectories = readonly (readonly [name: string, url: string | null])[];

const isNamed = (issuer: string, own: OwnDirectories) => own.some(([name]) => isExpectedIssuer(issuer, [name]));

/**
 * Whether to request renewal information for a certificate of this issuer. Anybody can name a public authority as issuer, so the
 * directories of public authorities are asked only if the certificate leads to a public root.
 */
export function canRequestRenewalInfo(issuer: string, own: OwnDirectories, leadsToPublicRoot: () => boolean): boolean {
  return directoryOf(issuer, own) !== null && (isNamed(issuer, own) || leadsToPublicRoot());
}

/** The ACME directory of an issuer with this name, as in RFC 4514; the operator's own come first. Null if none is known. */
export function directoryOf(issuer: string, own: OwnDirectories): string | null {
  for (const [name, url] of own) if (isExpectedIssuer(issuer, [name])) return url;
  return acmeDirectories.find(({ organizations }) => isExpectedIssuer(issuer, organizations))?.url ?? null;
}
