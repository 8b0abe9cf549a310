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
import { secretsHider } from "@/lib/text/hide-secrets";
import { percentDecoded } from "@/lib/text/percent-encoding";
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
  const urls = values.filter((value) => URL.canParse(value)).map((value) => new URL(value));
  const seen = urls.flatMap((url) => [url.pathname + url.search, url.pathname, ...signInTexts(url)]);
  return [...values, ...seen, ...signingSecrets];
}

/** What a mail server gets of the password in its URL (SASL PLAIN and LOGIN). */
function signInTexts(url: URL): string[] {
  if (url.password === "") return [];
  const [user, password] = [decoded(url.username), decoded(url.password)];
  const encoded = [password, `\0${user}\0${password}`].map((text) => Buffer.from(text).toString("base64"));
  return [url.password, password, ...encoded];
}

const decoded = (text: string) => percentDecoded(text) ?? text;

/** The result without the channel's secrets in what the receiver said. */
function withoutSecrets(sent: Sent, channel: OpenChannel): Sent {
  const hide = secretsHider(secretsOf(channel), "[secret]", 2);
  if (!sent.ok) return { ...sent, reason: hide(sent.reason) };
  return sent.warning === undefined ? sent : { ...sent, warning: hide(sent.warning) };
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
export async function send(channel: OpenChannel, message: Message, circumstances: Circumstances): Promise<Sent> {
  return withoutSecrets(await sendBy(channel, readable(message), circumstances), channel);
}

async function sendBy(channel: OpenChannel, message: Message, circumstances: Circumstances): Promise<Sent> {
  const { type, signingSecrets } = channel;
  const settings = settingsOf[type].safeParse(channel.settings);
  if (!settings.success) return failed("its settings are no longer valid: save the channel again", true);
  if (type === "webhook") {
    const { url } = settings.data as SettingsOf["webhook"];
    return sendWebhook({ url, secrets: signingSecrets }, message, circumstances);
  }
  // The type and the settings match: both were validated by the same entry.
  return (senders[type] as Send<unknown>)(settings.data, message, circumstances);
}
