import type { Tone } from "@/components/ui/badge";
import type { EndpointStatus } from "@/lib/certificates/contract";
import type { FindingCode, Severity } from "@/lib/certificates/findings";

/** A finding in two or three words. */
export const findingTitles: Record<FindingCode, string> = {
  unreachable: "Unreachable",
  dns_failure: "Name does not resolve",
  starttls_unsupported: "No STARTTLS",
  tls_handshake_failed: "No TLS handshake",
  expired: "Expired",
  not_yet_valid: "Not yet valid",
  expires_soon: "Expires soon",
  renewal_overdue: "Renewal overdue",
  renewed_not_deployed: "Renewed, not in place",
  revoked: "Revoked",
  revocation_unknown: "Revocation not known",
  chain_incomplete: "Chain incomplete",
  chain_misordered: "Chain out of order",
  chain_extra: "Superfluous certificates",
  intermediate_expires_first: "Intermediate ends first",
  untrusted_root: "Root not trusted",
  self_signed: "Self-signed",
  hostname_mismatch: "Wrong name",
  san_missing: "No alternative names",
  weak_key: "Weak key",
  weak_signature: "Weak signature",
  legacy_protocol: "Outdated protocol",
  lifetime_exceeds_policy: "Lives too long",
  issuer_unexpected: "Unexpected issuer",
  pin_mismatch: "Unexpected key",
  address_divergence: "Addresses differ",
  certificate_changed: "Certificate changed",
  names_removed: "Names removed",
  key_reused: "Key reused",
};

export const severityTone: Record<Severity, Tone> = { info: "neutral", warning: "warn", critical: "bad" };

export const statusTone: Record<EndpointStatus, Tone> = {
  pending: "neutral",
  ok: "good",
  info: "neutral",
  warning: "warn",
  critical: "bad",
  unreachable: "bad",
};
