import { changesOf } from "@/components/requests/changes-of";
import type { NotificationChannel } from "@/lib/notification-channels/contract";
import type { ChannelType } from "@/lib/notification-channels/providers/types";

/** A setting of a channel type, as its form shows it. */
export interface SettingField {
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
  /** Never shown again once it is set. */
  secret?: boolean;
  /** May be empty, which sends `otherwise` or null. */
  optional?: boolean;
  otherwise?: string;
  /** Several values, separated by commas or spaces. */
  list?: boolean;
}

const url = (label: string, hint: string, placeholder: string): SettingField => ({
  name: "url",
  label,
  hint,
  placeholder,
  secret: true,
});

/** The settings of each channel type. */
export const settingFields: Record<ChannelType, readonly SettingField[]> = {
  email: [
    { name: "to", label: "To", list: true, placeholder: "ops@example.com, duty@example.com" },
    {
      name: "smtp_url",
      label: "SMTP server",
      optional: true,
      secret: true,
      placeholder: "smtps://user:password@mail.example.com:465",
    },
    { name: "from", label: "From", optional: true, hint: "Only with your own SMTP server." },
  ],
  webhook: [
    {
      name: "url",
      label: "URL",
      placeholder: "https://example.com/hooks/sealwatch",
      hint: "Receives POST requests signed according to Standard Webhooks. Redirects are not followed.",
    },
  ],
  slack: [url("Webhook URL", "From an incoming webhook of your Slack app.", "https://hooks.slack.com/services/…")],
  teams: [
    url(
      "Workflow URL",
      "From a workflow that starts with “When a Teams webhook request is received”.",
      "https://….logic.azure.com/workflows/…",
    ),
  ],
  discord: [
    url("Webhook URL", "In Discord: Edit channel, Integrations, Webhooks.", "https://discord.com/api/webhooks/…"),
  ],
  pagerduty: [
    { name: "routing_key", label: "Integration key", secret: true, hint: "From an Events API v2 integration." },
    {
      name: "api_url",
      label: "API",
      optional: true,
      otherwise: "https://events.pagerduty.com",
      hint: "Use https://events.eu.pagerduty.com for EU accounts.",
    },
  ],
  telegram: [
    { name: "bot_token", label: "Bot token", secret: true, placeholder: "123456:ABC…" },
    { name: "chat_id", label: "Chat", placeholder: "-1001234567890 or @channel" },
    { name: "api_url", label: "API", optional: true, otherwise: "https://api.telegram.org" },
  ],
  ntfy: [
    {
      name: "topic",
      label: "Topic",
      placeholder: "sealwatch-7f3a9c",
      hint: "Anyone who knows the topic can read its messages.",
    },
    { name: "server", label: "Server", optional: true, otherwise: "https://ntfy.sh" },
    { name: "token", label: "Access token", optional: true, secret: true, placeholder: "tk_…" },
  ],
};

/** Settings as text, by name. */
type SettingTexts = Record<string, string>;

/** The initial values of a form. Secrets stay empty: they are never shown again. */
export function textsOf(channel: Pick<NotificationChannel, "type" | "settings">): SettingTexts {
  const shown = settingFields[channel.type].filter(({ secret }) => !secret);
  return Object.fromEntries(
    shown.map(({ name }) => {
      const value = channel.settings[name];
      return [name, Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : ""];
    }),
  );
}

function settingOf({ list, optional, otherwise }: SettingField, text: string): unknown {
  if (list) return text.split(/[\s,]+/).filter((entry) => entry !== "");
  if (text === "" && optional) return otherwise ?? null;
  return text;
}

/** What a form knows beside its texts: the secrets of an existing channel, null of a new one, and which of them are to be removed. */
interface Secrets {
  secrets: readonly string[] | null;
  removed?: readonly string[];
}

/** Whether a setting has no effect: the sender of e-mails without a server of one's own. */
export function isUnused(
  type: ChannelType,
  name: string,
  texts: SettingTexts,
  { secrets, removed = [] }: Secrets,
): boolean {
  if (type !== "email" || name !== "from" || (texts.smtp_url ?? "").trim() !== "") return false;
  return removed.includes("smtp_url") || !(secrets ?? []).includes("smtp_url");
}

/** The settings to send. For an existing channel, empty secrets are omitted, which keeps them; `removed` and unused ones are null. */
export function settingsSent(type: ChannelType, texts: SettingTexts, known: Secrets): Record<string, unknown> {
  const { secrets, removed = [] } = known;
  return Object.fromEntries(
    settingFields[type].flatMap((field): [string, unknown][] => {
      if (removed.includes(field.name) || isUnused(type, field.name, texts, known)) return [[field.name, null]];
      const text = (texts[field.name] ?? "").trim();
      if (secrets !== null && field.secret && text === "") return [];
      return [[field.name, settingOf(field, text)]];
    }),
  );
}

/** The settings that differ from `initial`, or all beside a new secret, which is meant for the address that the form shows. */
export function settingsChanged(
  type: ChannelType,
  initial: Record<string, unknown>,
  sent: Record<string, unknown>,
): Record<string, unknown> {
  const hasSecret = settingFields[type].some(({ name, secret }) => secret && typeof sent[name] === "string");
  return hasSecret ? sent : changesOf(initial, sent);
}

/** The target of a channel, as far as it is not secret. */
export function whereTo({ type, settings }: Pick<NotificationChannel, "type" | "settings">): string {
  const text = (name: string) => (typeof settings[name] === "string" ? settings[name] : "");
  switch (type) {
    case "email":
      return Array.isArray(settings.to) ? settings.to.join(", ") : "";
    case "webhook":
      return text("url");
    case "telegram":
      return text("chat_id");
    case "ntfy":
      return `${text("server")}/${text("topic")}`;
    case "pagerduty":
      return text("api_url");
    case "slack":
    case "teams":
    case "discord":
      return "";
  }
}
