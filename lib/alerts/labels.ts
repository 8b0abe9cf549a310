import type { Subject } from "@/lib/alerts/alert-state";
import type { AlertStatus } from "@/lib/alerts/contract";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import type { Flag } from "@/lib/audit-logs/flags";
import { findingLabels } from "@/lib/certificates/finding-labels";
import type { FindingCode } from "@/lib/certificates/findings";

export const alertStatusLabels: Readonly<Record<AlertStatus, string>> = {
  open: "Open",
  acknowledged: "Acknowledged",
  snoozed: "Snoozed",
  resolved: "Resolved",
};

export const subjectTypeLabels: Readonly<Record<Subject["type"], string>> = {
  endpoint: "Endpoint",
  certificate: "Certificate",
  monitor: "Monitor",
  issuance: "Issued certificate",
  api_key: "API key",
  user: "User",
  organization: "Callers",
  audit_log: "Audit log",
  destination: "Destination",
};

/** Causes that are neither findings nor flags. */
export const otherCauseLabels = {
  time_left: "Little time left",
  monitor_down: "Monitor down",
  latency: "Slow responses",
  event_count: "Entries in the audit log",
  self_check_failed: "Self-check of the log failed",
  sealing_behind: "Sealing is behind",
  signing_refused: "Signing is refused",
  witness_silent: "A witness is silent",
  destination_behind: "A destination is behind",
  destination_paused: "A destination was paused",
} as const;

const causeLabels: Readonly<Record<FindingCode | Flag | keyof typeof otherCauseLabels, string>> = {
  ...findingLabels,
  ...flagLabels,
  ...otherCauseLabels,
};

/** What people call a cause of an alert; a code of another release stays as it is. */
export function causeLabel(cause: string): string {
  return (causeLabels as Readonly<Record<string, string>>)[cause] ?? cause;
}
