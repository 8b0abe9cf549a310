export const severities = ["info", "warning", "critical"] as const;
export type Severity = (typeof severities)[number];

/** All finding codes. Reachability comes first, then the certificate. */
export const findingCodes = [
  "unreachable",
  "dns_failure",
  "starttls_unsupported",
  "tls_handshake_failed",
  "expired",
  "not_yet_valid",
  "expires_soon",
  "renewal_overdue",
  "renewal_later_than_usual",
  "renewal_moved_forward",
  "renewed_not_deployed",
  "caa_forbids_renewal",
  "caa_changed",
  "account_unexpected",
  "revoked",
  "revocation_unknown",
  "ocsp_staple_invalid",
  "ocsp_staple_missing",
  "chain_incomplete",
  "chain_misordered",
  "chain_extra",
  "intermediate_expires_first",
  "untrusted_root",
  "root_distrusted",
  "self_signed",
  "hostname_mismatch",
  "san_missing",
  "not_for_servers",
  "wrong_key_usage",
  "ca_as_leaf",
  "issuer_not_ca",
  "name_not_permitted",
  "path_too_long",
  "unknown_critical_extension",
  "invalid_certificate",
  "path_refused",
  "weak_key",
  "weak_signature",
  "legacy_protocol",
  "weak_cipher",
  "lifetime_exceeds_policy",
  "issuer_unexpected",
  "issuance_unauthorized",
  "pin_mismatch",
  "address_divergence",
  "certificates_alternate",
  "certificate_changed",
  "names_removed",
  "key_reused",
] as const;
export type FindingCode = (typeof findingCodes)[number];

/** Findings that no certificate could be seen. Every attempt opens or closes them; the others change only when one was seen. */
export const reachabilityCodes = [
  "unreachable",
  "dns_failure",
  "starttls_unsupported",
  "tls_handshake_failed",
] as const satisfies FindingCode[];

/** Findings about how a certificate is served rather than about the certificate. */
export const chainCodes = [
  "chain_incomplete",
  "chain_misordered",
  "chain_extra",
  "intermediate_expires_first",
  "untrusted_root",
  "self_signed",
] as const satisfies FindingCode[];

/** A problem or a notable fact, with its evidence. Evidence holds no remaining time, so it changes only when the facts change. */
export interface Finding {
  code: FindingCode;
  severity: Severity;
  evidence: Record<string, unknown>;
}

/** The most severe of the given severities; null if there are none. */
export function mostSevere(some: readonly Severity[]): Severity | null {
  return severities.findLast((severity) => some.includes(severity)) ?? null;
}

/** Of each code the most severe finding; of equals the first. */
export function mostSevereByCode(findings: readonly Finding[]): Finding[] {
  const byCode = new Map<FindingCode, Finding>();
  for (const finding of findings) {
    const known = byCode.get(finding.code);
    if (known === undefined || severities.indexOf(finding.severity) > severities.indexOf(known.severity))
      byCode.set(finding.code, finding);
  }
  return [...byCode.values()];
}

/** Creates a finding. */
export function found(code: FindingCode, severity: Severity, evidence: Finding["evidence"]): Finding {
  return { code, severity, evidence };
}
