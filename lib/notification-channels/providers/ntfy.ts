import { cut, itemLines, type Message, stateWord } from "@/lib/notification-channels/providers/message";
import { post } from "@/lib/notification-channels/providers/post";
import type { Send } from "@/lib/notification-channels/providers/provider";
import type { SettingsOf } from "@/lib/notification-channels/providers/settings";

/** From 1 to 5; 3 is the default. */
function priorityOf({ state, severity }: Message): number {
  if (state === "resolved") return 3;
  return { info: 2, warning: 3, critical: 5 }[severity];
}

/** Maximum size of a message in bytes; longer ones become attachments. */
const MAX_BYTES = 4000;

/** Shortens to bytes of UTF-8. */
function within(text: string): string {
  let most = MAX_BYTES;
  while (Buffer.byteLength(cut(text, most)) > MAX_BYTES) most -= 100;
  return cut(text, most);
}

/** Publishes JSON to a topic of an ntfy server, which cannot detect duplicates. */
export const sendNtfy: Send<SettingsOf["ntfy"]> = ({ server, topic, token }, message, circumstances) => {
  const lines = [message.text, ...itemLines(message).map((line) => `• ${line}`)].filter(Boolean);
  const body = {
    topic,
    title: cut(`${stateWord(message)}: ${message.title}`, 250),
    message: within(lines.join("\n")),
    priority: priorityOf(message),
    tags: [message.state === "resolved" ? "white_check_mark" : "warning"],
    click: message.url,
  };
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  return post(`${server}/`, JSON.stringify(body), circumstances, authorization);
};
