import { severityLabels } from "@/lib/certificates/finding-labels";
import {
  adviceOf,
  cut,
  itemFacts,
  type Message,
  momentWords,
  stateWord,
} from "@/lib/notification-channels/providers/message";
import { post } from "@/lib/notification-channels/providers/post";
import type { Send } from "@/lib/notification-channels/providers/provider";
import type { SettingsOf } from "@/lib/notification-channels/providers/settings";

function colourOf({ state, severity }: Message): string {
  if (state === "resolved") return "Good";
  return { info: "Accent", warning: "Warning", critical: "Attention" }[severity];
}

/** Escapes Markdown, which a card's text would interpret. */
function literal(text: string): string {
  return text.replace(/[\\`*_[\]()#>~|-]/g, "\\$&");
}

/** Posts an Adaptive Card to a workflow of Teams; its parts stay far below the limit of 28 KB. */
export const sendTeams: Send<SettingsOf["teams"]> = ({ url }, message, circumstances) => {
  const text = (words: string, more: object = {}) => ({ type: "TextBlock", text: words, wrap: true, ...more });
  const title = `${stateWord(message)}: ${message.title}`;
  const origin = [message.organization?.name, momentWords(message.at)].filter(Boolean).join(" · ");
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    msteams: { width: "Full" },
    body: [
      text(literal(cut(title, 300)), { size: "Medium", weight: "Bolder", color: colourOf(message) }),
      text(literal(cut(origin, 300)), { isSubtle: true, spacing: "None" }),
      text(literal(cut(message.text, 1000))),
      ...message.items.flatMap((item) => [
        text(`[${literal(cut(item.subject, 200))}](${encodeURI(item.url)}) — ${literal(cut(item.detail, 300))}`, {
          spacing: "Medium",
        }),
        text(literal(cut([severityLabels[item.severity], ...itemFacts(item)].join(" · "), 200)), {
          isSubtle: true,
          spacing: "None",
        }),
      ]),
      text(message.more > 0 ? `and ${message.more} more` : ""),
      ...adviceOf(message).map((advice) => text(`**What to do:** ${literal(advice)}`, { spacing: "Medium" })),
    ].filter(({ text }) => text !== ""),
    actions: [{ type: "Action.OpenUrl", title: "Open in Sealwatch", url: message.url }],
  };
  const attachment = { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card };
  return post(url, JSON.stringify({ type: "message", attachments: [attachment] }), circumstances);
};
