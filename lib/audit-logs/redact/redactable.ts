import type { AuditEvent, RedactablePart } from "@/lib/audit-logs/contract";
import { SELF_REFERRING_ACTIONS } from "@/lib/audit-logs/held/self-referring";

/** Whether parts of an event with this action and these flags can be redacted; changes of the plan cannot, either. */
export function isRedactable(action: string | null, flags: readonly string[]): boolean {
  return !SELF_REFERRING_ACTIONS.some((each) => each === action) && !flags.includes("plan_changed");
}

/** The parts of a sealed event that can still be redacted. */
export function redactableParts({ request, authentication, seal, resource, security }: AuditEvent): RedactablePart[] {
  if (seal === null || !isRedactable(resource.action, security.flags)) return [];
  const hasBody = (request?.body_size ?? 0) > 0 && (seal.redaction?.body ?? null) === null;
  const hasCaller = authentication !== null && authentication.type !== "system";
  return [...(hasBody ? (["body"] as const) : []), ...(hasCaller ? (["caller"] as const) : [])];
}
