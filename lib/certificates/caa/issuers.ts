import { isExpectedIssuer } from "@/lib/certificates/judge/policy";

interface CaaIssuer {
  authority: string;
  /** Its names (O) in issuers. */
  organizations: readonly string[];
  /** The domains by which CAA records permit it, with all names below them. */
  domains: readonly string[];
  source: string;
}

/** CAA domains of authorities, from their own publications. An authority that is not here is not judged. */
export const caaIssuers: readonly CaaIssuer[] = [
  {
    authority: "Let's Encrypt",
    organizations: ["Let's Encrypt"],
    domains: ["letsencrypt.org"],
    source: "https://letsencrypt.org/docs/caa/",
  },
  {
    authority: "Google Trust Services",
    organizations: ["Google Trust Services", "Google Trust Services LLC"],
    domains: ["pki.goog"],
    source: "https://developers.google.com/public-key-infrastructure/faq/authorization-verification",
  },
  {
    authority: "Amazon",
    organizations: ["Amazon"],
    domains: ["amazon.com", "amazontrust.com", "awstrust.com", "amazonaws.com"],
    source: "https://docs.aws.amazon.com/acm/latest/userguide/setup-caa.html",
  },
  {
    authority: "Sectigo",
    organizations: ["Sectigo Limited", "ZeroSSL", "ZeroSSL GmbH"],
    domains: ["sectigo.com", "comodo.com", "comodoca.com", "usertrust.com", "trust-provider.com", "netsolssl.com"],
    source: "https://ssl247.com/knowledge-base/detail/internal-caa-records/ka01n000000xnreqao",
  },
  {
    authority: "GoDaddy",
    organizations: ["GoDaddy.com, Inc.", "Starfield Technologies, Inc."],
    domains: ["godaddy.com", "starfieldtech.com"],
    source: "https://www.godaddy.com/help/using-caa-records-with-your-ssl-certificate-27227",
  },
];

/** The CAA domains of an issuer with this name, as in RFC 4514; null if they are not known. */
export function caaDomainsOf(issuer: string): readonly string[] | null {
  return caaIssuers.find(({ organizations }) => isExpectedIssuer(issuer, organizations))?.domains ?? null;
}
