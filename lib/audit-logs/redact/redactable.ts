import type { AuditEvent, RedactablePart } from "@/lib/audit-logs/contract";

/** Verifiers refuse redacted events with these actions: what they say decides verdicts about other events. */
const PROTECTED: readonly (string | null)[] = [
  "audit_log.redact",
  "audit_log.key_rotated",
  "audit_log.epoch_started",
  "audit_log.sealing_started",
];

/** Whether parts of an event with this action and these flags can be redacted; changes of the plan cannot, either. */
export function isRedactable(action: string | null, flags: readonly string[]): boolean {
  return !PROTECTED.includes(action) && !flags.includes("plan_changed");
}

/** The parts of a sealed event that can still be redacted. */
export function redactableParts({ request, authentication, seal, resource, security }: AuditEvent): RedactablePart[] {
  if (seal === null || !isRedactable(resource.action, security.flags)) return [];
  const hasBody = (request?.body_size ?? 0) > 0 && (seal.redaction?.body ?? null) === null;
  const hasCaller = authentication !== null && authentication.type !== "system";
  return [...(hasBody ? (["body"] as const) : []), ...(hasCaller ? (["caller"] as const) : [])];
}
