import { severityLabels } from "@/lib/certificates/finding-labels";
import type { Severity } from "@/lib/certificates/findings";

/** What a channel is told. It is stored with the delivery, so that every attempt says the same. */
export interface Message {
  /** `test` was asked for by a person; `notice` is about Sealwatch's own channels. */
  kind: "alert" | "test" | "notice";
  state: "firing" | "resolved";
  severity: Severity;
  /** One line. */
  title: string;
  /** A sentence or two. */
  text: string;
  /** What it is about, gravest first. */
  items: MessageItem[];
  /** How many more there are than stand in `items`. */
  more: number;
  /** Where it can be read in the dashboard. */
  url: string;
  /** The same for what begins and what ends it, for providers that keep incidents. */
  key: string;
  /** RFC 3339. */
  at: string;
}

export interface MessageItem {
  /** What it is about: `shop.example.com:443`. */
  subject: string;
  /** What is the matter with it. */
  detail: string;
  severity: Severity;
  url: string;
  /** Null for what is no alert. */
  alert_id: string | null;
}

/** Most items that a message lists. */
export const MAX_ITEMS = 20;

/** `Critical`, `Resolved`, …: how a title begins. */
export function stateWord({ kind, state, severity }: Pick<Message, "kind" | "state" | "severity">): string {
  if (kind === "test") return "Test";
  if (state === "resolved") return "Resolved";
  return severityLabels[severity];
}

/** One line per item, and how many more there are. */
export function itemLines({ items, more }: Pick<Message, "items" | "more">): string[] {
  const lines = items.map(({ subject, detail }) => `${subject} — ${detail}`);
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** The whole message as plain text without its title. */
export function plainText(message: Message): string {
  return [message.text, ...itemLines(message).map((line) => `• ${line}`), message.url].filter(Boolean).join("\n");
}

/** Cuts text to `most` UTF-16 units, with an ellipsis and without breaking a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
