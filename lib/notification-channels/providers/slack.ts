import { cut, itemLines, stateWord } from "@/lib/notification-channels/providers/message";
import { post } from "@/lib/notification-channels/providers/post";
import type { Send } from "@/lib/notification-channels/providers/provider";
import type { SettingsOf } from "@/lib/notification-channels/providers/settings";

/** Maximum characters of a section's text and of a header's text (Block Kit reference). */
const SECTION = 3000;
const HEADER = 150;

/** Escapes the three special characters of Slack's text format. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Posts to an incoming webhook of Slack or a compatible service, which cannot detect duplicates. */
export const sendSlack: Send<SettingsOf["slack"]> = ({ url }, message, circumstances) => {
  const title = `${stateWord(message)}: ${message.title}`;
  const lines = [message.text, ...itemLines(message).map((line) => `• ${line}`)].filter(Boolean);
  const button = { type: "button", text: { type: "plain_text", text: "Open in Sealwatch" }, url: message.url };
  const body = {
    text: escaped(title),
    unfurl_links: false,
    blocks: [
      { type: "header", text: { type: "plain_text", text: cut(title, HEADER), emoji: false } },
      // Shortened before escaping, with room for the added characters.
      { type: "section", text: { type: "mrkdwn", text: cut(escaped(cut(lines.join("\n"), 2500)), SECTION) } },
      { type: "actions", elements: [button] },
    ],
  };
  return post(url, JSON.stringify(body), circumstances);
};
