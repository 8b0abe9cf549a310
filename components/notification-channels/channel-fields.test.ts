import { expect, test } from "vitest";
import {
  isUnused,
  settingFields,
  settingsChanged,
  settingsSent,
  textsOf,
  whereTo,
} from "@/components/notification-channels/channel-fields";
import { secretFields, settingsOf } from "@/lib/notification-channels/providers/settings";
import { channelTypes } from "@/lib/notification-channels/providers/types";

const filled: Record<string, Record<string, string>> = {
  email: { to: "a@example.com, b@example.com", smtp_url: "smtp://mail.example.com", from: "x@example.com" },
  webhook: { url: "https://example.com/hook" },
  slack: { url: "https://example.com/hook" },
  teams: { url: "https://example.com/hook" },
  discord: { url: "https://example.com/hook" },
  pagerduty: { routing_key: "0123456789abcdef0123456789abcdef" },
  telegram: { bot_token: "123456:abcdefghijklmnopqrstuvwxyz", chat_id: "@sealwatch_ops" },
  ntfy: { topic: "ops", token: "tk_secret" },
};

test.each(channelTypes)("%s: its form has every setting, marks the secret ones, and makes valid settings", (type) => {
  const names = Object.keys(settingsOf[type].shape);
  expect(settingFields[type].map(({ name }) => name).sort()).toEqual(names.sort());
  const secret = settingFields[type].filter((field) => field.secret).map(({ name }) => name);
  expect(secret.sort()).toEqual([...secretFields[type]].sort());
  const sent = settingsSent(type, filled[type] ?? {}, { secrets: null });
  expect(settingsOf[type].safeParse(sent).error?.issues ?? []).toEqual([]);
});

const channel = {
  type: "ntfy",
  settings: { topic: "ops", server: "https://ntfy.sh" },
} as const;

test("an empty secret stays, a typed one replaces it, a removed one becomes null", () => {
  const texts = textsOf(channel);
  expect(texts).toEqual({ topic: "ops", server: "https://ntfy.sh" });
  expect(settingsSent("ntfy", texts, { secrets: [] })).toEqual({ topic: "ops", server: "https://ntfy.sh" });
  expect(settingsSent("ntfy", { ...texts, token: "tk_new" }, { secrets: [] })).toMatchObject({ token: "tk_new" });
  expect(settingsSent("ntfy", texts, { secrets: [], removed: ["token"] })).toMatchObject({ token: null });
});

test("only changed settings are sent, and all beside a new secret, which is meant for the shown address", () => {
  const initial = settingsSent("ntfy", textsOf(channel), { secrets: [] });
  expect(settingsChanged("ntfy", initial, initial)).toEqual({});
  expect(settingsChanged("ntfy", initial, { ...initial, topic: "duty" })).toEqual({ topic: "duty" });
  expect(settingsChanged("ntfy", initial, { ...initial, token: null })).toEqual({ token: null });
  const sent = { ...initial, token: "tk_new" };
  expect(settingsChanged("ntfy", initial, sent)).toEqual(sent);
});

test("the sender of e-mails is sent only with a server of one's own", () => {
  const texts = { to: "ops@example.com", from: "alerts@example.com" };
  const from = (more: object, known: Parameters<typeof settingsSent>[2]) =>
    settingsSent("email", { ...texts, ...more }, known).from;
  expect(from({}, { secrets: null })).toBeNull();
  expect(from({ smtp_url: "smtp://mail.example.com" }, { secrets: null })).toBe(texts.from);
  expect(from({}, { secrets: ["smtp_url"] })).toBe(texts.from);
  expect(from({}, { secrets: ["smtp_url"], removed: ["smtp_url"] })).toBeNull();
  expect(isUnused("email", "to", texts, { secrets: null })).toBe(false);
});

test("the target of a channel is shown without its secrets", () => {
  expect(whereTo(channel)).toBe("https://ntfy.sh/ops");
  expect(whereTo({ type: "slack", settings: {} })).toBe("");
});
