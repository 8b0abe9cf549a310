import * as z from "zod";
import { WRITE_ONLY } from "@/lib/http/endpoint";
import { httpUrl } from "@/lib/http/schemas/http-url";
import type { ChannelType } from "@/lib/notification-channels/providers/types";
import { hasReadableCredentials } from "@/lib/text/percent-encoding";

/** The base URL of a provider's API, to which paths are appended. */
const apiUrl = httpUrl.transform((text) => text.replace(/\/+$/, ""));

const smtpUrl = z
  .string()
  .max(2000, "must have at most 2000 characters")
  .refine((text) => {
    const parsed = URL.canParse(text) ? new URL(text) : null;
    return parsed !== null && /^smtps?:$/.test(parsed.protocol) && parsed.hostname !== "";
  }, "must be an SMTP URL such as smtps://user:password@mail.example.com:465")
  .refine(
    (text) => !URL.canParse(text) || hasReadableCredentials(new URL(text)),
    "must have a % in the user or the password written as %25",
  );

const token = (what: string, pattern: RegExp) => z.string().trim().regex(pattern, `must be ${what}`);

const email = z.email("must be an e-mail address").max(254, "must have at most 254 characters");

/** `ops@example.com` or `Operations <ops@example.com>`. Quotes permit more in the name, but never what could end it (RFC 5322, 3.2). */
const sender = z
  .string()
  .trim()
  .max(320, "must have at most 320 characters")
  .refine((text) => {
    const [, given = "", address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? [];
    const name = given.trim();
    const [, quoted] = /^"(.*)"$/s.exec(name) ?? [];
    const isPlain = quoted === undefined ? !/["\\(),:;@[\]]/.test(name) : !/["\\]/.test(quoted);
    return isPlain && !/[\p{Cc}\p{Bidi_Control}]/u.test(name) && email.safeParse(address).success;
  }, "must be an e-mail address, or a name and an address such as Alerts <alerts@example.com>");

/** The settings of each channel type. */
export const settingsOf = {
  email: z
    .strictObject({
      to: z.array(email).min(1, "must have at least one entry").max(20, "must have at most 20 entries"),
      from: sender
        .nullable()
        .default(null)
        .describe(
          "The sender, with your own server: an address, or a name and an address such as `Alerts <alerts@example.com>`. The installation's server sends as itself, whatever is given.",
        ),
      smtp_url: smtpUrl
        .nullable()
        .default(null)
        .describe(`Your own server, smtp:// or smtps://. Defaults to the installation's server. ${WRITE_ONLY}`),
    })
    .refine(({ from, smtp_url }) => smtp_url === null || from !== null, {
      path: ["from"],
      error: "is required with your own server",
    }),
  webhook: z.strictObject({
    url: httpUrl.describe("Receives POST requests signed according to Standard Webhooks. Redirects are not followed."),
  }),
  slack: z.strictObject({ url: httpUrl.describe(`URL of an incoming webhook. ${WRITE_ONLY}`) }),
  teams: z.strictObject({ url: httpUrl.describe(`URL of a workflow that posts to a chat or channel. ${WRITE_ONLY}`) }),
  discord: z.strictObject({ url: httpUrl.describe(`URL of a channel's webhook. ${WRITE_ONLY}`) }),
  pagerduty: z.strictObject({
    routing_key: token("an integration key of 32 letters and digits", /^[A-Za-z0-9]{32}$/).describe(
      `Key of an Events API v2 integration. ${WRITE_ONLY}`,
    ),
    api_url: apiUrl
      .default("https://events.pagerduty.com")
      .describe("`https://events.eu.pagerduty.com` for accounts in the EU."),
  }),
  telegram: z.strictObject({
    bot_token: token("a bot's token such as 123456:ABC…", /^\d{1,20}:[A-Za-z0-9_-]{20,100}$/).describe(WRITE_ONLY),
    chat_id: token("a chat's number, or @ and a channel's name", /^(-?\d{1,20}|@\w{4,64})$/),
    api_url: apiUrl.default("https://api.telegram.org"),
  }),
  ntfy: z.strictObject({
    topic: token("1 to 64 letters, digits, _ and -", /^[\w-]{1,64}$/),
    token: token("an access token", /^[\x21-\x7e]{1,200}$/)
      .nullable()
      .default(null)
      .describe(WRITE_ONLY),
    server: apiUrl.default("https://ntfy.sh"),
  }),
} as const;

export type SettingsOf = { [Type in ChannelType]: z.output<(typeof settingsOf)[Type]> };

/** Settings that are stored encrypted and never returned. */
export const secretFields: Record<ChannelType, readonly string[]> = {
  email: ["smtp_url"],
  webhook: [],
  slack: ["url"],
  teams: ["url"],
  discord: ["url"],
  pagerduty: ["routing_key"],
  telegram: ["bot_token"],
  ntfy: ["token"],
};

/** Settings that determine where secrets are sent. A secret that is itself a URL is replaced as a whole. */
export const destinationFields: Record<ChannelType, readonly string[]> = {
  email: [],
  webhook: ["url"],
  slack: [],
  teams: [],
  discord: [],
  pagerduty: ["api_url"],
  telegram: ["api_url"],
  ntfy: ["server"],
};
