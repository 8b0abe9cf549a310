import { isExpectedIssuer } from "@/lib/certificates/judge/policy";

interface End {
  /** The name of the authority. */
  authority: string;
  /** Its names (O) in issuers; empty for a rule for every public authority. */
  organizations: readonly string[];
  /** The first day (UTC) on which it issues no certificate for client authentication any more. */
  on: string;
  source: string;
}

/** When public authorities stop issuing certificates for client authentication, each from its own publication. */
export const clientAuthEnds: readonly End[] = [
  {
    authority: "Google Trust Services",
    organizations: ["Google Trust Services", "Google Trust Services LLC"],
    on: "2026-04-13",
    source: "https://pki.goog/updates/may2025-clientauth.html",
  },
  {
    authority: "Let's Encrypt",
    organizations: ["Let's Encrypt"],
    on: "2026-07-08",
    source: "https://letsencrypt.org/docs/profiles/",
  },
  {
    authority: "DigiCert",
    organizations: ["DigiCert Inc", "DigiCert, Inc."],
    on: "2027-03-01",
    source:
      "https://knowledge.digicert.com/alerts/sunsetting-client-authentication-eku-from-digicert-public-tls-certificates",
  },
  {
    authority: "Every authority that Chrome trusts",
    organizations: [],
    on: "2027-03-15",
    source: "https://googlechrome.github.io/chromerootprogram/",
  },
];

/** When the authority with this name, as in RFC 4514, stops; null if that is not known. A private authority may have the name. */
export function clientAuthEndOf(issuer: string): End | null {
  return clientAuthEnds.find(({ organizations }) => isExpectedIssuer(issuer, organizations)) ?? null;
}
