/** Why a certificate was revoked, by the code of RFC 5280, 5.3.1. */
export const REVOCATION_REASONS = [
  "unspecified",
  "key_compromise",
  "ca_compromise",
  "affiliation_changed",
  "superseded",
  "cessation_of_operation",
  "certificate_hold",
  null,
  "remove_from_crl",
  "privilege_withdrawn",
  "aa_compromise",
] as const;
