import type { Act } from "@/components/alerts/queries";
import type { AlertDetail } from "@/lib/alerts/contract";

/** The expected alert after an action, shown until the server responds. `at` is an RFC 3339 time. */
export function expectedAlert(alert: AlertDetail, { act, sent }: Act, by: string, at: string): AlertDetail {
  const entry = { id: "now", at, actor: by };
  const note = sent.note ?? null;
  switch (act) {
    case "acknowledgeAlert":
      return {
        ...alert,
        // An acknowledged alert that is snoozed stays snoozed.
        status: alert.status === "snoozed" ? "snoozed" : "acknowledged",
        acknowledged_at: at,
        acknowledged_by: by,
        timeline: [...alert.timeline, { ...entry, kind: "acknowledged", details: { note } }],
      };
    case "snoozeAlert":
      return {
        ...alert,
        status: "snoozed",
        snoozed_until: sent.until,
        timeline: [...alert.timeline, { ...entry, kind: "snoozed", details: { until: sent.until, note } }],
      };
    case "resolveAlert":
      return {
        ...alert,
        status: "resolved",
        resolved_at: at,
        resolved_by: "person",
        snoozed_until: null,
        timeline: [...alert.timeline, { ...entry, kind: "resolved", details: { by: "person", note } }],
      };
  }
}
