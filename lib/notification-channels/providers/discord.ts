import { cut, itemLines, type Message, stateWord } from "@/lib/notification-channels/providers/message";
import { post } from "@/lib/notification-channels/providers/post";
import type { Send } from "@/lib/notification-channels/providers/provider";
import type { SettingsOf } from "@/lib/notification-channels/providers/settings";

function colourOf({ state, severity }: Message): number {
  if (state === "resolved") return 0x2e7d32;
  return { info: 0x546e7a, warning: 0xb26a00, critical: 0xc62828 }[severity];
}

/** Posts to a Discord webhook. `wait` makes Discord respond only once the message exists; mentions are disabled. */
export const sendDiscord: Send<SettingsOf["discord"]> = ({ url }, message, circumstances) => {
  const target = new URL(url);
  target.searchParams.set("wait", "true");
  const lines = [message.text, ...itemLines(message).map((line) => `• ${line}`)].filter(Boolean);
  const embed = {
    title: cut(`${stateWord(message)}: ${message.title}`, 256),
    description: cut(lines.join("\n"), 4000),
    url: message.url,
    color: colourOf(message),
    timestamp: message.at,
  };
  const body = { username: "Sealwatch", embeds: [embed], allowed_mentions: { parse: [] } };
  return post(target.href, JSON.stringify(body), circumstances);
};
