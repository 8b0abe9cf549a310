import { plural } from "@/components/time/time-format";
import type { Tone } from "@/components/ui/badge";
import type { Subject } from "@/lib/alerts/alert-state";
import type { Alert, AlertDetail, AlertStatus } from "@/lib/alerts/contract";
import { findingLabels } from "@/lib/certificates/finding-labels";
import type { FindingCode } from "@/lib/certificates/findings";

export const statusWords: Record<AlertStatus, string> = {
  open: "Open",
  acknowledged: "Acknowledged",
  snoozed: "Snoozed",
  resolved: "Resolved",
};

/** Of those that are not over: what nobody looks after stands first. */
export const byUrgency = ["open", "acknowledged", "snoozed"] as const satisfies AlertStatus[];

export const statusTone: Record<AlertStatus, Tone> = {
  open: "bad",
  acknowledged: "seal",
  snoozed: "neutral",
  resolved: "good",
};

/** What each kind of subject is called. */
export const subjectWords: Record<Subject["type"], string> = {
  endpoint: "Endpoint",
  certificate: "Certificate",
  monitor: "Monitor",
  issuance: "Issued certificate",
  api_key: "API key",
  user: "Person",
  organization: "Callers",
};

/** The page of what an alert is about; for callers that nobody could name, the log's entries. */
export function subjectPath({ subject, causes }: Pick<Alert, "subject" | "causes">): string {
  switch (subject.type) {
    case "endpoint":
      return `/certificates/endpoints/${subject.id}`;
    case "certificate":
      return `/certificates/${subject.id}`;
    case "monitor":
      return `/uptime/${subject.id}`;
    case "issuance":
      return "/subdomains/issuances?unexpected=true";
    case "api_key":
      return `/api-keys/${subject.id}`;
    case "user":
    case "organization":
      return `/audit-logs?${entriesQuery({ subject, causes })}`;
  }
}

/** The filters that find the entries which an alert about the log is made of. */
export function entriesQuery({ subject, causes }: Pick<Alert, "subject" | "causes">): URLSearchParams {
  const query = new URLSearchParams({ range: "30d", flag: causes.join(",") });
  if (subject.type === "api_key") query.set("api_key_id", subject.id);
  if (subject.type === "user") query.set("user_id", subject.id);
  return query;
}

/** Whether the alert is about entries of the audit log. */
export function isOfLog({ subject }: Pick<Alert, "subject">): boolean {
  return subject.type === "api_key" || subject.type === "user" || subject.type === "organization";
}

const causes: Record<string, string> = {
  ...findingLabels,
  time_left: "Time left",
  monitor_down: "Does not answer as it should",
  latency: "Answers slowly",
};

/** A cause in a few words: a finding's title, or a flag as it stands in the log. */
export function causeWords(cause: string): string {
  return causes[cause as FindingCode] ?? cause;
}

type Entry = AlertDetail["timeline"][number];

const text = (value: unknown) => (typeof value === "string" ? value : "");
const list = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);

const tellings: Record<string, string> = {
  opened: "that it began",
  raised: "that it has grown",
  repeated: "that it lasts",
  resolved: "that it is over",
};

const endings: Record<string, string> = {
  cause: "Resolved itself: its cause is gone.",
  rule: "Ended with its rule, which was disabled or deleted.",
  person: "Resolved.",
};

/** A line of the timeline as a sentence. Who did it, and their note, stand beside it. */
export function entryWords({ kind, details }: Pick<Entry, "kind" | "details">): string {
  const level = `${text(details.severity)}, step ${String(details.step)}: ${text(details.detail)}.`;
  switch (kind) {
    case "opened":
      return `Opened as ${level}`;
    case "raised":
      return `Rose to ${level}`;
    case "lowered":
      return `Went down to ${level}`;
    case "reopened":
      return `Came back as ${level}`;
    case "cause_added":
      return `More was found: ${list(details.causes).map(causeWords).join(", ")}.`;
    case "cause_gone":
      return "Its cause is gone. It ends when that stays so.";
    case "cause_back":
      return `Its cause is back: ${text(details.detail)}.`;
    case "flapping":
      return `It comes and goes: ${plural(Number(details.times), "change")} within an hour. It stays open until that stops.`;
    case "acknowledged":
      return "Acknowledged: no more repeats, unless it rises.";
    case "snoozed":
      return "Snoozed";
    case "resolved":
      return endings[text(details.by)] ?? "Resolved.";
    case "told": {
      const channels = list(details.channels);
      const what = tellings[text(details.as)] ?? "of it";
      return channels.length > 0
        ? `Told ${what}: ${channels.join(", ")}.`
        : `Nobody could be told ${what}: no channel is enabled.`;
    }
    case "note":
      return "Note";
  }
}
