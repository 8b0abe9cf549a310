import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { isSecurityEvent } from "@/lib/audit-logs/flags";
import type { Action } from "@/lib/http/actions";

/** The values of the filter `via`: all requests of the dashboard's pages, and those of them that only read. */
export const viaValues = ["dashboard", "dashboard_read"] as const;

type Via = (typeof viaValues)[number];

/** The dashboard's requests have a session, or a caller that was redacted: all other events are known not to be its by a short column. */
export const neverInDashboard: readonly string[] = ["api_key", "anonymous", "system"] satisfies AuditRow["auth_type"][];

/** The value of `via` with which the dashboard hides what people only read in it. */
export const WITHOUT_READS = "!dashboard_read";

/** Actions that change nothing although their method is POST. */
const readingActions: readonly Action[] = ["alert_rule.preview", "alert_rule.test", "api_key.preview_whitelist"];

/**
 * The values of `via` that an event has. Refused and failed requests and security events, such as exports, are not reads: a log without
 * reads must still show them.
 */
export function viaOf({ details, auth_type, method, action, status_code, flags }: AuditRow): Via[] {
  if (details?.via !== "dashboard" || neverInDashboard.includes(auth_type)) return [];
  const changesNothing = method === "GET" || (action !== null && readingActions.includes(action));
  const isDone = status_code !== null && status_code < 400;
  return changesNothing && isDone && !isSecurityEvent(flags) ? ["dashboard", "dashboard_read"] : ["dashboard"];
}
