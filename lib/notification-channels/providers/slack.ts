import { severityLabels } from "@/lib/certificates/finding-labels";
import {
  adviceOf,
  cut,
  itemFacts,
  type MessageItem,
  momentWords,
  stateWord,
} from "@/lib/notification-channels/providers/message";
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

/** At most this many items get a section of their own, far below the 50 blocks of a message. */
const MAX_SECTIONS = 10;

const text = (words: string) => ({ type: "mrkdwn", text: words });

/** A link of Slack's text format; the URL is ours. */
const linkTo = (url: string, words: string) => `<${escaped(url)}|${escaped(words.replaceAll("|", "¦"))}>`;

function itemSection(item: MessageItem): object {
  const facts = [severityLabels[item.severity], ...itemFacts(item)].map(escaped).join(" · ");
  const head = `*${linkTo(item.url, cut(item.subject, 300))}*`;
  return {
    type: "section",
    text: text(cut(`${head}\n${escaped(cut(item.detail, 600))}\n_${cut(facts, 900)}_`, SECTION)),
  };
}

/** Posts to an incoming webhook of Slack or a compatible service, which cannot detect duplicates. */
export const sendSlack: Send<SettingsOf["slack"]> = ({ url }, message, circumstances) => {
  const title = `${stateWord(message)}: ${message.title}`;
  const { items, organization } = message;
  const more = message.more + Math.max(0, items.length - MAX_SECTIONS);
  const advice = adviceOf(message).map((each) => `*What to do:* ${escaped(each)}`);
  const button = { type: "button", text: { type: "plain_text", text: "Open in Sealwatch" }, url: message.url };
  const lines = [escaped(cut(message.text, 2500)), ...(more > 0 ? [`and ${more} more`] : []), ...advice];
  const origin = [organization?.name, momentWords(message.at)].filter((part) => part !== undefined);
  const body = {
    text: escaped(title),
    unfurl_links: false,
    blocks: [
      { type: "header", text: { type: "plain_text", text: cut(title, HEADER), emoji: false } },
      { type: "context", elements: [text(cut(origin.map(escaped).join(" · "), 2000))] },
      ...items.slice(0, MAX_SECTIONS).map(itemSection),
      // Shortened before escaping, with room for the added characters.
      ...(lines.join("") === ""
        ? []
        : [{ type: "section", text: text(cut(lines.filter(Boolean).join("\n"), SECTION)) }]),
      { type: "actions", elements: [button] },
    ],
  };
  return post(url, JSON.stringify(body), circumstances);
};
