import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Choice, Filters } from "@/lib/audit-logs/filters";

/** The filter that takes one value. */
export function only(value: string): Choice {
  return { include: [value], exclude: [] };
}

/** What finds the events of the same key, else person; null for a caller that is neither. */
export function callerOf({ authentication: { api_key, user } }: AuditEvent): Filters | null {
  if (api_key) return { api_key_id: only(api_key.id) };
  return user ? { user_id: only(user.id) } : null;
}
