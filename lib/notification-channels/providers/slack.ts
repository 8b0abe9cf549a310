import { cut, itemLines, stateWord } from "@/lib/notification-channels/providers/message";
import { post } from "@/lib/notification-channels/providers/post";
import type { Send } from "@/lib/notification-channels/providers/provider";
import type { SettingsOf } from "@/lib/notification-channels/providers/settings";

/** Most characters of a section's text and of a header's (Block Kit reference). */
const SECTION = 3000;
const HEADER = 150;

/** The three characters that Slack's text gives a meaning. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** To an incoming webhook of Slack, or of what speaks like it. A repetition cannot be told apart there. */
export const sendSlack: Send<SettingsOf["slack"]> = ({ url }, message, circumstances) => {
  const title = `${stateWord(message)}: ${message.title}`;
  const lines = [message.text, ...itemLines(message).map((line) => `• ${line}`)].filter(Boolean);
  const button = { type: "button", text: { type: "plain_text", text: "Open in Sealwatch" }, url: message.url };
  const body = {
    text: escaped(title),
    unfurl_links: false,
    blocks: [
      { type: "header", text: { type: "plain_text", text: cut(title, HEADER), emoji: false } },
      // Cut before it is escaped, with room for what escaping adds.
      { type: "section", text: { type: "mrkdwn", text: cut(escaped(cut(lines.join("\n"), 2500)), SECTION) } },
      { type: "actions", elements: [button] },
    ],
  };
  return post(url, JSON.stringify(body), circumstances);
};
