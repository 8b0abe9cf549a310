import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Choice, Filters } from "@/lib/audit-logs/filters";
import { NO_AUTHENTICATION } from "@/lib/audit-logs/redacted-caller";

/** A filter with one value. */
export function only(value: string): Choice {
  return { include: [value], exclude: [] };
}

/** The filter that leaves out what people only read in the dashboard. */
export const exceptReads: Choice = { include: [], exclude: ["dashboard_read"] };

/** A filter for events of the same key or person; null for other callers. */
export function callerOf({ authentication }: AuditEvent): Filters | null {
  const { api_key, user } = authentication ?? NO_AUTHENTICATION;
  if (api_key) return { api_key_id: only(api_key.id) };
  return user ? { user_id: only(user.id) } : null;
}
