import type { otherCauseLabels } from "@/lib/alerts/labels";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import type { FindingCode } from "@/lib/certificates/findings";

const REISSUE = "Clients reject it. Get a certificate from another intermediate or authority, and install it.";

/** What to do about each finding, for messages that do not have its evidence. The page of the endpoint knows more. */
const findingAdvice: Readonly<Record<FindingCode, string>> = {
  unreachable: "Check that the server runs and can be reached. Until then, its certificate cannot be checked.",
  dns_failure: "Check the name and the DNS of its domain.",
  starttls_unsupported: "Turn on STARTTLS, or choose the right protocol for the endpoint.",
  tls_handshake_failed:
    "Check that the port speaks TLS from the first byte and that the server knows the name sent (SNI).",
  expired: "Clients reject it. Renew it and install the new certificate.",
  not_yet_valid: "Install a valid certificate, or correct the issuer’s clock.",
  expires_soon: "An automatic renewal should have happened by now: check it.",
  renewal_overdue: "Check the automatic renewal.",
  renewal_later_than_usual: "Check whether the automatic renewal still runs.",
  renewal_moved_forward: "It will probably be revoked: renew it now, and install the new certificate.",
  renewed_not_deployed: "Install the newer certificate, or reload the server.",
  caa_forbids_renewal: "Permit the certificate authority in the domain’s CAA records, or renew with a permitted one.",
  caa_changed: "If nobody in your organization changed the CAA records, check who can change the domain’s DNS.",
  account_unexpected: "If nobody changed the account at the certificate authority, find out who requested it.",
  revoked: "Clients reject it. Find out why, and install a new certificate.",
  revocation_unknown: "No action is needed unless this continues. Then contact the certificate authority.",
  ocsp_staple_invalid: "Check that the server can reach the OCSP responder and fetches responses in time.",
  ocsp_staple_missing: "Turn on OCSP stapling, or have the certificate reissued without must-staple.",
  chain_incomplete: "Serve the full chain without the root.",
  chain_misordered: "Serve the leaf first, then its issuer, and so on.",
  chain_extra: "Remove the certificates that do not belong to the chain.",
  intermediate_expires_first: "Get a certificate from a newer issuer before this one expires.",
  untrusted_root: "Clients reject it unless they trust this root. Install a certificate of a public authority.",
  root_distrusted: "Browsers reject it. Get a certificate from another authority.",
  self_signed: "Clients reject it unless they trust this certificate. Install one of an authority.",
  hostname_mismatch: "Issue a certificate with this name, or serve the right one.",
  san_missing: "Issue a certificate with its names as subject alternative names.",
  not_for_servers: "Clients reject it. Request a certificate for servers.",
  wrong_key_usage: "Clients reject it. Request a certificate whose key usage permits TLS.",
  ca_as_leaf: "Request a certificate for servers, and keep the key of the authority off servers.",
  issuer_not_ca: REISSUE,
  name_not_permitted: REISSUE,
  path_too_long: REISSUE,
  unknown_critical_extension: "Clients reject it. Have it reissued without this extension.",
  invalid_certificate: "Clients reject it. Have it reissued.",
  path_refused: "Some clients reject it. See the endpoint for the reason, and serve another chain.",
  weak_key: "Create a new key and certificate.",
  weak_signature: "Clients reject it. Have it reissued.",
  legacy_protocol: "Enable TLS 1.2 and 1.3, and disable older versions.",
  weak_cipher: "Enable ciphers with ECDHE and AES-GCM or ChaCha20-Poly1305, and disable weak ones.",
  lifetime_exceeds_policy: "Get a certificate with a shorter lifetime.",
  issuer_unexpected: "If nobody changed the certificate authority, find out who requested it.",
  issuance_unauthorized:
    "If one of your teams obtained it, say so in the list of issued certificates. If not, ask the issuer to revoke it.",
  pin_mismatch: "Clients that pin keys reject it. Serve a certificate with a pinned key, or update the pins.",
  address_divergence: "Install the same certificate at each address, and make sure that each responds.",
  certificates_alternate: "Install the same certificate on each server behind the load balancer.",
  certificate_changed: "Expected after a renewal. If nobody renewed it, find out who did.",
  names_removed: "Services that still use these names need another certificate.",
  key_reused: "Create a new key with each renewal.",
};

const otherAdvice: Readonly<Record<keyof typeof otherCauseLabels, string>> = {
  time_left: "Renew the certificate, and install the new one.",
  monitor_down: "Check that the service runs and can be reached.",
  latency: "Check the load of the service and of what it depends on.",
  event_count: "Look at the matching entries in the audit log.",
  self_check_failed: "Somebody may have changed recorded events. Ask your operator to compare with a kept checkpoint.",
  sealing_behind: "Ask your operator to check the worker.",
  signing_refused: "Ask your operator whether a database was restored from a backup.",
  witness_silent: "Ask your operator to check the witness.",
  destination_behind: "Check that the receiver accepts events, and look at the last errors of the destination.",
  destination_paused: "Fix the receiver, then resume the destination: it continues where it stopped.",
};

const OF_EVENTS =
  "Look at the entries in the audit log. If nobody in your organization caused them, rotate or revoke the key.";

const RENEW_BY_HAND = "Renew the certificate by hand now, and install the new one.";
/** Findings whose advice is about an automatic renewal. */
const ofRenewals: ReadonlySet<string> = new Set<FindingCode>([
  "expires_soon",
  "renewal_overdue",
  "renewal_later_than_usual",
]);

/**
 * What to do about the causes of an alert about an endpoint that is renewed by hand or not, at most three sentences; empty if only
 * another release knows them.
 */
export function adviceFor(causes: readonly string[], isRenewedByHand: boolean): string {
  const known: Readonly<Record<string, string>> = { ...findingAdvice, ...otherAdvice };
  const adviceOf = (cause: string) => (isRenewedByHand && ofRenewals.has(cause) ? RENEW_BY_HAND : known[cause]);
  const advice = causes.flatMap((cause) => (cause in flagLabels ? OF_EVENTS : (adviceOf(cause) ?? [])));
  return [...new Set(advice)].slice(0, 3).join(" ");
}
