import { matchingEntries } from "@/components/audit-logs/views/matching-entries";
import type { Alert, AlertDetail } from "@/lib/alerts/contract";
import { causeLabel } from "@/lib/alerts/labels";
import type { Condition } from "@/lib/alerts/rules/conditions";
import { flaggedEntries } from "@/lib/alerts/subject-path";
import { plural } from "@/lib/text/counts";
import { inSentence } from "@/lib/text/labels";

/** The filters that find the audit log entries behind an alert; null if they are not known, or it is not about the log. */
export function entriesQuery(alert: Pick<Alert, "subject" | "causes">, condition?: Condition): URLSearchParams | null {
  if (alert.subject.type !== "audit_log") return flaggedEntries(alert);
  return condition?.type === "event_count" ? matchingEntries({ range: "30d", ...condition.query }) : null;
}

type Entry = AlertDetail["timeline"][number];

const text = (value: unknown) => (typeof value === "string" ? value : "");
const list = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);

const reasons: Record<string, string> = {
  opened: "alert opened",
  raised: "alert raised",
  repeated: "alert still unresolved",
  resolved: "alert resolved",
};

const resolutions: Record<string, string> = {
  cause: "Resolved automatically: the cause is gone.",
  rule: "Resolved because its rule was disabled or deleted.",
  person: "Resolved.",
};

/** A line of the timeline as a sentence. The person and their note are shown beside it. */
export function entryWords({ kind, details }: Pick<Entry, "kind" | "details">): string {
  const level = `${text(details.severity)}, step ${String(details.step)}: ${text(details.detail)}.`;
  switch (kind) {
    case "opened":
      return `Opened as ${level}`;
    case "raised":
      return `Raised to ${level}`;
    case "lowered":
      return `Lowered to ${level}`;
    case "reopened":
      return `Reopened as ${level}`;
    case "cause_added":
      return `New causes: ${list(details.causes)
        .map((cause) => inSentence(causeLabel(cause)))
        .join(", ")}.`;
    case "cause_gone":
      return "The cause is gone. The alert is resolved if the cause does not return.";
    case "cause_back":
      return `The cause is back: ${text(details.detail)}.`;
    case "flapping":
      return `Flapping: ${plural(Number(details.times), "change")} within an hour. The alert stays open until this stops.`;
    case "acknowledged":
      return "Acknowledged. No repeated notifications unless the alert is raised.";
    case "snoozed":
      return "Snoozed";
    case "resolved":
      return resolutions[text(details.by)] ?? "Resolved.";
    case "told": {
      const more = Number(details.more ?? 0);
      const channels = [...list(details.channels), ...(more > 0 ? [plural(more, "more channel")] : [])];
      const reason = reasons[text(details.as)] ?? "alert changed";
      return channels.length > 0
        ? `Notified ${channels.join(", ")}: ${reason}.`
        : `Nobody was notified (${reason}): no channel is enabled.`;
    }
    case "note":
      return "Note";
  }
}

/** Why no messages of an alert are listed: deliveries are deleted after 30 days, the timeline is not. */
export function noMessagesWords(timeline: readonly Pick<Entry, "kind" | "details">[]): string {
  const told = timeline.findLast(({ kind }) => kind === "told");
  if (told === undefined) return "No message was sent: none was due, or it was held back, as in quiet hours.";
  return list(told.details.channels).length === 0
    ? "No message was sent in the last 30 days: no channel was enabled when one was due."
    : "The messages are older than 30 days, or their channels were deleted. The timeline says who was notified.";
}
