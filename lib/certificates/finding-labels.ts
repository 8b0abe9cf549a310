import type { EndpointStatus } from "@/lib/certificates/contract";
import type { FindingCode, Severity } from "@/lib/certificates/findings";

/** What people call each finding, wherever it is shown. */
export const findingLabels: Readonly<Record<FindingCode, string>> = {
  unreachable: "Unreachable",
  dns_failure: "DNS lookup failed",
  starttls_unsupported: "STARTTLS not supported",
  tls_handshake_failed: "TLS handshake failed",
  expired: "Expired",
  not_yet_valid: "Not yet valid",
  expires_soon: "Expires soon",
  renewal_overdue: "Renewal overdue",
  renewed_not_deployed: "Renewed but not deployed",
  revoked: "Revoked",
  revocation_unknown: "Revocation status unknown",
  ocsp_staple_invalid: "Invalid OCSP staple",
  ocsp_staple_missing: "OCSP staple missing",
  chain_incomplete: "Incomplete chain",
  chain_misordered: "Chain out of order",
  chain_extra: "Extra certificates in chain",
  intermediate_expires_first: "Intermediate expires first",
  untrusted_root: "Untrusted root",
  self_signed: "Self-signed",
  hostname_mismatch: "Host name mismatch",
  san_missing: "No subject alternative names",
  not_for_servers: "Not for servers",
  wrong_key_usage: "Wrong key usage",
  ca_as_leaf: "CA certificate as server certificate",
  issuer_not_ca: "Issuer is not a CA",
  name_not_permitted: "Name not permitted",
  path_too_long: "Path too long",
  unknown_critical_extension: "Unknown critical extension",
  invalid_certificate: "Invalid certificate",
  path_refused: "Refused by OpenSSL",
  weak_key: "Weak key",
  weak_signature: "Weak signature",
  legacy_protocol: "Outdated TLS version",
  lifetime_exceeds_policy: "Lifetime too long",
  issuer_unexpected: "Unexpected issuer",
  pin_mismatch: "Key pin mismatch",
  address_divergence: "Addresses differ",
  certificates_alternate: "Certificates alternate",
  certificate_changed: "Certificate changed",
  names_removed: "Names removed",
  key_reused: "Key reused",
};

export const severityLabels: Readonly<Record<Severity, string>> = {
  info: "Info",
  warning: "Warning",
  critical: "Critical",
};

export const endpointStatusLabels: Readonly<Record<EndpointStatus, string>> = {
  pending: "Not checked yet",
  ok: "OK",
  info: "Info",
  warning: "Warning",
  critical: "Critical",
  unreachable: "Unreachable",
};
