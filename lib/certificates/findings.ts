export const severities = ["info", "warning", "critical"] as const;
export type Severity = (typeof severities)[number];

/** Everything that can be found about an endpoint. What is seen of reachability stands first, then what the certificate says. */
export const findingCodes = [
  "unreachable",
  "dns_failure",
  "starttls_unsupported",
  "tls_handshake_failed",
  "expired",
  "not_yet_valid",
  "expires_soon",
  "renewal_overdue",
  "renewed_not_deployed",
  "revoked",
  "revocation_unknown",
  "chain_incomplete",
  "chain_misordered",
  "chain_extra",
  "intermediate_expires_first",
  "untrusted_root",
  "self_signed",
  "hostname_mismatch",
  "san_missing",
  "weak_key",
  "weak_signature",
  "legacy_protocol",
  "lifetime_exceeds_policy",
  "issuer_unexpected",
  "pin_mismatch",
  "address_divergence",
  "certificate_changed",
  "names_removed",
  "key_reused",
] as const;
export type FindingCode = (typeof findingCodes)[number];

/** Findings that say no certificate could be seen. They open and close with every try; the others only when one was seen. */
export const reachabilityCodes = [
  "unreachable",
  "dns_failure",
  "starttls_unsupported",
  "tls_handshake_failed",
] as const satisfies FindingCode[];

/** Findings about how a certificate is served rather than about itself. */
export const chainCodes = [
  "chain_incomplete",
  "chain_misordered",
  "chain_extra",
  "intermediate_expires_first",
  "untrusted_root",
  "self_signed",
] as const satisfies FindingCode[];

/** Something that is wrong or worth knowing, and what was seen of it. Evidence holds no time left, so it changes only when the facts do. */
export interface Finding {
  code: FindingCode;
  severity: Severity;
  evidence: Record<string, unknown>;
}

/** The gravest of some severities; null of none. */
export function gravest(some: readonly Severity[]): Severity | null {
  return severities.findLast((severity) => some.includes(severity)) ?? null;
}

/** A finding in one line. */
export function found(code: FindingCode, severity: Severity, evidence: Finding["evidence"]): Finding {
  return { code, severity, evidence };
}
