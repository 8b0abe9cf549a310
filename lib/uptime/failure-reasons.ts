/** Why a check failed. */
export const failureReasons = [
  "dns_failure",
  "unexpected_answer",
  "forbidden_address",
  "connection_refused",
  "connection_reset",
  "no_route",
  "timeout",
  "tls_failed",
  "protocol_error",
  "unexpected_status",
  "text_missing",
  "text_present",
  "pattern_missing",
  "json_mismatch",
  "header_mismatch",
  "certificate_expires",
  "too_slow",
  "heartbeat_missed",
  "too_many_redirects",
  "secrets_unreadable",
] as const;
export type FailureReason = (typeof failureReasons)[number];
