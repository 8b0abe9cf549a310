import type { MonitorStatus } from "@/lib/uptime/contract";
import type { FailureReason } from "@/lib/uptime/failure-reasons";

export const monitorStatusLabels: Readonly<Record<MonitorStatus, string>> = {
  pending: "Not checked yet",
  up: "Up",
  down: "Down",
  paused: "Paused",
};

/** What people call each reason of a failed check, wherever it is shown. */
export const failureReasonLabels: Readonly<Record<FailureReason, string>> = {
  dns_failure: "DNS lookup failed",
  unexpected_answer: "Unexpected DNS answer",
  forbidden_address: "Forbidden address",
  connection_refused: "Connection refused",
  connection_reset: "Connection reset",
  no_route: "No route to host",
  timeout: "Timeout",
  packet_loss: "Packet loss",
  tls_failed: "TLS failed",
  protocol_error: "Protocol error",
  unexpected_status: "Unexpected status",
  text_missing: "Expected text missing",
  text_present: "Forbidden text present",
  pattern_missing: "Expected pattern missing",
  json_mismatch: "Unexpected JSON",
  header_mismatch: "Unexpected header",
  certificate_expires: "Certificate expires",
  too_slow: "Too slow",
  heartbeat_missed: "No call in time",
  too_many_redirects: "Too many redirects",
  secrets_unreadable: "Secrets cannot be decrypted",
};
