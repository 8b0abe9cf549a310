import { type Evidence, text } from "@/components/certificates/findings/evidence";

/** Why no certificate was seen. */
const reasons: Record<string, string> = {
  timeout: "It did not respond in time.",
  connection_refused: "It refused the connection: nothing listens on this port.",
  connection_reset: "It reset the connection.",
  connection_closed: "It closed the connection before sending a certificate.",
  never_reported: "No report of what it serves has arrived yet.",
  no_longer_reported: "Reports of what it serves no longer arrive.",
  agent_silent: "The agent that checks it has not reported it for too long.",
  file_not_found: "The file does not exist.",
  secret_not_found: "The secret does not exist, or it is not a TLS secret.",
  not_allowed: "The agent may not read it: name its folder when you start the agent (--files).",
  permission_denied: "The agent has no permission to read it.",
  no_certificate: "It has no certificate.",
  wrong_password: "The agent has another password for PKCS #12 files.",
  unsupported_encryption: "It is encrypted in an outdated way (RC2 or the like): export it again with AES.",
  too_large: "It is larger than 1 MiB.",
  not_in_cluster: "The agent is not running in a Kubernetes cluster.",
  no_route: "There is no route to it.",
  forbidden_address: "Its address is in a network that this installation does not probe.",
  name_not_found: "The name does not exist.",
  no_address: "The name has no address.",
  server_failure: "The name servers failed to respond.",
  not_tls: "The service on this port does not speak TLS.",
  alert: "It rejected the handshake with an alert.",
  protocol_error: "It violated the TLS protocol.",
  chain_too_large: "It sends more certificates than clients accept.",
  malformed_certificate: "One of its certificates cannot be read.",
};

/** Why STARTTLS failed. */
export const refusals: Record<string, string> = {
  not_offered: "The server does not offer it.",
  refused: "The server refused it.",
  unexpected_answer: "The server’s response does not follow this protocol.",
  too_much_said: "The server sends too much before it.",
  said_more: "The server kept sending plaintext after TLS should have started.",
};

/** Why the revocation status of a certificate is unknown. */
export const unknowns: Record<string, string> = {
  ocsp_only: "It names an OCSP responder but no revocation list.",
  issuer_unknown: "Its issuer’s certificate is not known.",
  unsupported_url: "The revocation list is not available over HTTP.",
  forbidden_address: "The revocation list is in a network that this installation does not connect to.",
  fetch_failed: "The revocation list could not be fetched.",
  too_large: "The revocation list is too large.",
  malformed: "The revocation list cannot be parsed.",
  other_issuer: "The revocation list belongs to another issuer.",
  issuer_must_not_sign: "The issuer’s key is not permitted to sign revocation lists (crl_sign).",
  unknown_critical_extension: "The revocation list has a critical extension that clients do not know.",
  bad_signature: "The revocation list has an invalid signature.",
  outdated: "The revocation list is out of date.",
  indirect: "Indirect revocation lists are not supported.",
  delta: "Delta revocation lists are not supported.",
  partial: "The revocation list does not cover it.",
};

/** Why a stapled OCSP response says nothing about the certificate. */
export const staples: Record<string, string> = {
  malformed: "It cannot be parsed.",
  responder_error: "It is the responder’s refusal.",
  other_certificate: "It is about another certificate.",
  bad_signature: "Neither the issuer nor a responder of the issuer has signed it.",
  not_yet_valid: "It is not valid yet.",
  outdated: "It is out of date.",
  unknown_certificate: "The responder does not know the certificate.",
};

/** The reason in evidence, in words, with the detail that the other side gave. */
export function reason(evidence: Evidence, words = reasons): string {
  const detail = text(evidence, "detail");
  const known = words[text(evidence, "reason")] ?? "It failed for an unknown reason.";
  return detail === "" ? known : `${known} (${detail})`;
}
