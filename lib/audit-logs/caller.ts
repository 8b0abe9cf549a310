import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Choice, Filters } from "@/lib/audit-logs/filters";

/** A filter with one value. */
export function only(value: string): Choice {
  return { include: [value], exclude: [] };
}

/** The filter that leaves out what people only read in the dashboard. */
export const exceptReads: Choice = { include: [], exclude: ["dashboard_read"] };

/** A filter for events of the same key or person; null for other callers. */
export function callerOf({ authentication: { api_key, user } }: AuditEvent): Filters | null {
  if (api_key) return { api_key_id: only(api_key.id) };
  return user ? { user_id: only(user.id) } : null;
}
