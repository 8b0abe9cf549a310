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

interface MessageItem {
  /** Its name: `shop.example.com:443`. */
  subject: string;
  /** Its problem. */
  detail: string;
  severity: Severity;
  url: string;
  /** Null if it is not about an alert. */
  alert_id: string | null;
}

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
