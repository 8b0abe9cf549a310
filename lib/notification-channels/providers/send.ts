import { sendDiscord } from "@/lib/notification-channels/providers/discord";
import { sendEmail } from "@/lib/notification-channels/providers/email";
import type { AlertData, Message } from "@/lib/notification-channels/providers/message";
import { sendNtfy } from "@/lib/notification-channels/providers/ntfy";
import { sendPagerduty } from "@/lib/notification-channels/providers/pagerduty";
import { type Circumstances, failed, type Send, type Sent } from "@/lib/notification-channels/providers/provider";
import { type SettingsOf, secretFields, settingsOf } from "@/lib/notification-channels/providers/settings";
import { sendSlack } from "@/lib/notification-channels/providers/slack";
import { sendTeams } from "@/lib/notification-channels/providers/teams";
import { sendTelegram } from "@/lib/notification-channels/providers/telegram";
import type { ChannelType } from "@/lib/notification-channels/providers/types";
import { sendWebhook } from "@/lib/notification-channels/providers/webhook";
import { visible } from "@/lib/text/visible";

/** A channel with its decrypted secrets. */
export interface OpenChannel {
  type: ChannelType;
  /** Public and secret settings. */
  settings: Record<string, unknown>;
  /** A webhook's signing secrets, newest first. */
  signingSecrets: readonly string[];
}

/** Senders by channel type. Webhooks need more than their settings. */
const senders: { [Type in Exclude<ChannelType, "webhook">]: Send<SettingsOf[Type]> } = {
  email: sendEmail,
  slack: sendSlack,
  teams: sendTeams,
  discord: sendDiscord,
  pagerduty: sendPagerduty,
  telegram: sendTelegram,
  ntfy: sendNtfy,
};

/** Texts that would disclose a channel's secrets. If a URL is a secret, servers still see its host. */
function secretsOf({ type, settings, signingSecrets }: OpenChannel): string[] {
  const values = secretFields[type].map((name) => settings[name]).filter((value) => typeof value === "string");
  const paths = values.filter((value) => URL.canParse(value)).map((value) => new URL(value));
  const seen = paths.flatMap(({ pathname, search, password }) => [pathname + search, pathname, password]);
  return [...values, ...seen, ...signingSecrets].filter((text) => text.length > 1);
}

/** Escapes bidirectional controls, so that foreign text cannot rearrange its surroundings. */
function readable(message: Message): Message {
  const items = message.items.map((item) => ({
    ...item,
    subject: visible(item.subject),
    detail: visible(item.detail),
    ...(item.about && { about: readableData(item.about) }),
  }));
  const { organization, rule } = message;
  return {
    ...message,
    title: visible(message.title),
    text: visible(message.text),
    items,
    ...(organization && { organization: { ...organization, name: visible(organization.name) } }),
    ...(rule && { rule: { ...rule, name: visible(rule.name) } }),
  };
}

function readableData(about: AlertData): AlertData {
  const { resource, tags } = about;
  return { ...about, resource: { ...resource, name: visible(resource.name) }, tags: tags.map(visible) };
}

/** Sends a message through the channel's provider. Never rejects. */
export async function send(channel: OpenChannel, told: Message, given: Circumstances): Promise<Sent> {
  const message = readable(told);
  const { type, signingSecrets } = channel;
  const circumstances = { ...given, secrets: secretsOf(channel) };
  const settings = settingsOf[type].safeParse(channel.settings);
  if (!settings.success) return failed("its settings are no longer valid: save the channel again", true);
  if (type === "webhook") {
    const { url } = settings.data as SettingsOf["webhook"];
    return sendWebhook({ url, secrets: signingSecrets }, message, circumstances);
  }
  // The type and the settings match: both were validated by the same entry.
  return (senders[type] as Send<unknown>)(settings.data, message, circumstances);
}
