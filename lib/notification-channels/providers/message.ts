import { severityLabels } from "@/lib/certificates/finding-labels";
import type { Severity } from "@/lib/certificates/findings";
import type { MessageKind } from "@/lib/notification-channels/providers/types";

/** The content of a message. Stored with the delivery, so that every attempt sends the same. */
export interface Message {
  /** A person requests a `test`; a `notice` is about Sealwatch's own channels; a `checkpoint` is sent daily to be kept. */
  kind: MessageKind;
  state: "firing" | "resolved";
  severity: Severity;
  /** One line. */
  title: string;
  /** A sentence or two. */
  text: string;
  /** Its subjects, most severe first. */
  items: MessageItem[];
  /** The number of subjects beyond `items`. */
  more: number;
  /** The page in the dashboard. */
  url: string;
  /** Equal for the start and the end of a problem, for providers that track incidents. */
  key: string;
  /** RFC 3339. */
  at: string;
  /** Added when the message is queued; absent in messages that an earlier release queued. */
  organization?: { id: string; name: string; slug: string };
  /** Of alerts: the rule that sends it. */
  rule?: { id: string; name: string };
  /** Of messages of the kind `checkpoint` only. */
  checkpoint?: SentCheckpoint;
}

/** A checkpoint of the audit log that its receiver keeps. Not an interface: it is stored as JSON. */
export type SentCheckpoint = {
  epoch: number;
  /** Number of entries. */
  size: number;
  /** RFC 3339. */
  signed_at: string;
  /** The key that verifies it (C2SP signed-note). */
  vkey: string;
  /** The signed note, byte for byte what a verifier takes. */
  note: string;
};

export interface MessageItem {
  /** Its name: `shop.example.com:443`. */
  subject: string;
  /** Its problem. */
  detail: string;
  severity: Severity;
  url: string;
  /** Null if it is not about an alert. */
  alert_id: string | null;
  /** Absent in messages that an earlier release queued. */
  about?: AlertData;
}

/** What an alert is about, for programs. Not an interface: it is stored as JSON. */
export type AlertData = {
  resource: { type: string; id: string; name: string; url: string };
  /** Codes of findings, flags of events, or other causes, as in the API's alerts. */
  causes: string[];
  /** What to do, for people; empty if it is not known. */
  advice: string;
  tags: string[];
  certificate_id: string | null;
  /** When the certificate expires (RFC 3339); null if it is not about one. */
  not_after: string | null;
  /** RFC 3339. */
  opened_at: string;
  resolved_at: string | null;
  /** What resolved it, as in the API's alerts. Absent in messages that an earlier release queued. */
  resolved_by?: "cause" | "person" | "rule" | null;
};

/** Maximum number of items per message. */
export const MAX_ITEMS = 20;

/** The first word of a title: `Critical`, `Resolved`, … */
export function stateWord({ kind, state, severity }: Pick<Message, "kind" | "state" | "severity">): string {
  if (kind === "test") return "Test";
  if (kind === "checkpoint") return "Checkpoint";
  if (state === "resolved") return "Resolved";
  return severityLabels[severity];
}

/** One line per item and the number of further items. */
export function itemLines({ items, more }: Pick<Message, "items" | "more">): string[] {
  const lines = items.map(({ subject, detail }) => `${subject} — ${detail}`);
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** `30 November 2026, 14:05 UTC`. */
export function momentWords(at: string): string {
  const date = new Date(at);
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" }).format(date);
  const day = `${part({ day: "numeric" })} ${part({ month: "long" })} ${part({ year: "numeric" })}`;
  return `${day}, ${date.toISOString().slice(11, 16)} UTC`;
}

/** What is known about an item besides its problem: tags and expiry, part by part. */
export function itemFacts({ about }: Pick<MessageItem, "about">): string[] {
  if (about === undefined) return [];
  const { tags, not_after } = about;
  const isOver = not_after !== null && Date.parse(not_after) < Date.parse(about.resolved_at ?? about.opened_at);
  return [
    ...(not_after === null ? [] : [`${isOver ? "expired" : "expires"} ${momentWords(not_after)}`]),
    ...(tags.length === 0 ? [] : [`tags: ${tags.slice(0, 10).join(", ")}${tags.length > 10 ? ", …" : ""}`]),
  ];
}

/** What to do about the items, each advice once and the first few only; none about what is over. */
export function adviceOf({ items, state }: Pick<Message, "items" | "state">): string[] {
  if (state === "resolved") return [];
  return [...new Set(items.map(({ about }) => about?.advice ?? "").filter(Boolean))].slice(0, 3);
}

/** The whole message as plain text without its title. A checkpoint stands between empty lines, so that it can be copied. */
export function plainText(message: Message): string {
  const lines = [message.text, ...itemLines(message).map((line) => `• ${line}`), message.url];
  const { checkpoint } = message;
  if (checkpoint !== undefined) lines.splice(1, 0, `\n${checkpoint.note}\nVerifier key:\n${checkpoint.vkey}\n`);
  return lines.filter(Boolean).join("\n");
}

/** Shortens text to `most` UTF-16 units, with an ellipsis and without splitting a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
