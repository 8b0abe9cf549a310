import { cut, plainText, stateWord } from "@/lib/notification-channels/providers/message";
import { post } from "@/lib/notification-channels/providers/post";
import type { Send } from "@/lib/notification-channels/providers/provider";
import type { SettingsOf } from "@/lib/notification-channels/providers/settings";

const MAX_CHARACTERS = 4096;

/** Sends plain text through a Telegram bot, which cannot detect duplicates. */
export const sendTelegram: Send<SettingsOf["telegram"]> = ({ bot_token, chat_id, api_url }, message, circumstances) => {
  const body = {
    chat_id,
    text: cut(`${stateWord(message)}: ${message.title}\n\n${plainText(message)}`, MAX_CHARACTERS),
    link_preview_options: { is_disabled: true },
    disable_notification: message.state === "resolved" || message.severity === "info",
  };
  return post(`${api_url}/bot${bot_token}/sendMessage`, JSON.stringify(body), circumstances);
};
