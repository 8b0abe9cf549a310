import { severityLabels } from "@/lib/certificates/finding-labels";
import {
  adviceOf,
  itemFacts,
  type Message,
  momentWords,
  plainText,
  stateWord,
} from "@/lib/notification-channels/providers/message";
import type { Circumstances } from "@/lib/notification-channels/providers/provider";

/** Why the receiver gets a message, in sentences. */
export function whyWords({ kind, organization, rule }: Message, channel: Circumstances["channel"]): string {
  const of = organization === undefined ? "" : ` of ${organization.name}`;
  const sends = `the notification channel “${channel.name}”${of} sends to this address`;
  if (kind === "alert" && rule !== undefined)
    return `You are receiving this e-mail because the alert rule “${rule.name}” opened, changed or resolved an alert, and ${sends}.`;
  return `You are receiving this e-mail because ${sends}.`;
}

/** The plain text of an e-mail: everything that its HTML says. */
export function emailText(message: Message, channel: Circumstances["channel"]): string {
  if (message.kind === "checkpoint") return plainText(message);
  const { organization, items, more, text, url } = message;
  const parts = [
    [stateWord(message), organization?.name, momentWords(message.at)].filter(Boolean).join(" · "),
    text,
    ...items.map((item) =>
      [
        `• ${item.subject} — ${item.detail}`,
        `  ${[severityLabels[item.severity], ...itemFacts(item)].join(" · ")}`,
        `  ${item.url}`,
      ].join("\n"),
    ),
    more > 0 ? `and ${more} more` : "",
    adviceOf(message)
      .map((advice) => `What to do: ${advice}`)
      .join("\n"),
    `Open in Sealwatch: ${url}`,
    `--\n${whyWords(message, channel)}\nTo change that: ${channel.url}`,
  ];
  return parts.filter(Boolean).join("\n\n");
}
