import { severityLabels } from "@/lib/certificates/finding-labels";
import { adviceOf, cut, itemFacts, type Message, stateWord } from "@/lib/notification-channels/providers/message";
import { post } from "@/lib/notification-channels/providers/post";
import type { Send } from "@/lib/notification-channels/providers/provider";
import type { SettingsOf } from "@/lib/notification-channels/providers/settings";

function colourOf({ state, severity }: Message): number {
  if (state === "resolved") return 0x2e7d32;
  return { info: 0x546e7a, warning: 0xb26a00, critical: 0xc62828 }[severity];
}

const MAX_FIELDS = 5;

/** Escapes Discord's Markdown. */
function literal(text: string): string {
  return text.replace(/[\\`*_[\]()#<>~|-]/g, "\\$&");
}

/** Posts to a Discord webhook. `wait` makes Discord respond only once the message exists; mentions are disabled. */
export const sendDiscord: Send<SettingsOf["discord"]> = ({ url }, message, circumstances) => {
  const target = new URL(url);
  target.searchParams.set("wait", "true");
  const advice = adviceOf(message).map((each) => `**What to do:** ${each}`);
  const rest = message.more + Math.max(0, message.items.length - MAX_FIELDS);
  const lines = [literal(cut(message.text, 2500)), ...advice, ...(rest > 0 ? [`and ${rest} more`] : [])].filter(
    Boolean,
  );
  const embed = {
    title: cut(`${stateWord(message)}: ${literal(cut(message.title, 200))}`, 256),
    description: cut(lines.join("\n"), 3000),
    url: message.url,
    color: colourOf(message),
    timestamp: message.at,
    // All texts of an embed together have at most 6000 characters.
    fields: message.items.slice(0, MAX_FIELDS).map((item) => ({
      name: cut(literal(cut(item.subject, 80)), 100),
      value: cut(
        `[${literal(cut(item.detail, 80))}](${encodeURI(item.url)})\n${literal(cut([severityLabels[item.severity], ...itemFacts(item)].join(" · "), 80))}`,
        400,
      ),
    })),
    ...(message.organization && { footer: { text: cut(message.organization.name, 200) } }),
  };
  const body = { username: "Sealwatch", embeds: [embed], allowed_mentions: { parse: [] } };
  return post(target.href, JSON.stringify(body), circumstances);
};
