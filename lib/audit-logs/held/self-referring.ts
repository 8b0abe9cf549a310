import type { Action } from "@/lib/http/actions";

/** Actions of events of which verifiers accept no redaction: what they say decides verdicts about other events. */
export const SELF_REFERRING_ACTIONS: readonly Action[] = [
  "audit_log.redact",
  "audit_log.key_rotated",
  "audit_log.epoch_started",
  "audit_log.sealing_started",
];
