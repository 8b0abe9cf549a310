import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { configure } from "@/lib/config";
import { log } from "@/lib/log";
import { parseNetwork } from "@/lib/networks";
import { cut, type Message } from "@/lib/notification-channels/providers/message";
import type { Sent } from "@/lib/notification-channels/providers/provider";
import { type OpenChannel, send } from "@/lib/notification-channels/providers/send";
import { newSigningSecret, signatureOf } from "@/lib/notification-channels/providers/webhook";
import { DAY_MS } from "@/lib/time/units";

const ID = "01a1fd09-138a-732b-878b-cbdb1158cd55";
const at = new Date("2026-11-21T14:31:58.207Z");
const guard = { allowedNetworks: [parseNetwork("127.0.0.0/8")] };
const channel = { name: "On call <b>", url: "http://127.0.0.1:3000/notification-channels/1" };
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

const message: Message = {
  kind: "alert",
  state: "firing",
  severity: "critical",
  title: "Expires soon: shop.example.com:443",
  text: "6 days left & counting <soon>.",
  items: [
    { subject: "shop.example.com:443", detail: "6 days left", severity: "critical", url: "http://x/1", alert_id: ID },
  ],
  more: 2,
  url: "http://127.0.0.1:3000/alerts",
  key: "rule certificate",
  at: at.toISOString(),
};

interface Got {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  json: unknown;
}

/** The value at a dotted path. */
function dig(value: unknown, path: string): unknown {
  return path.split(".").reduce((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);
}

const lengthAt = (got: Got | undefined, path: string) => String(dig(got?.json, path)).length;

/** A provider's server that records requests and responds as given. */
async function provider(answer: (response: ServerResponse) => void = (response) => response.end("ok")) {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    got.push({ path: request.url ?? "", headers: request.headers, body, json: JSON.parse(body) });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

function sendTo(
  type: OpenChannel["type"],
  settings: Record<string, unknown>,
  content: Message = message,
  signingSecrets: string[] = [],
): Promise<Sent> {
  return send({ type, settings, signingSecrets }, content, { id: ID, at, attempt: 1, guard, channel });
}

const resolved: Message = { ...message, state: "resolved" };
const long: Message = {
  ...message,
  title: "ü".repeat(500),
  text: "&".repeat(9000),
  items: Array.from({ length: 20 }, () => ({
    ...(message.items[0] as (typeof message.items)[0]),
    detail: "x".repeat(900),
  })),
};

/** Names from outside that try to be more than text in every format. */
const evil = `<img src=x onerror=alert(1)>"'<!channel>[a](http://evil)<http://evil|b>@everyone`;
const hostile: Message = {
  ...message,
  title: `${evil}: 6 days left`,
  text: `Rule “${evil}”.`,
  items: [
    {
      ...(message.items[0] as (typeof message.items)[0]),
      subject: evil,
      detail: evil,
      about: {
        resource: { type: "endpoint", id: ID, name: evil, url: "http://127.0.0.1:3000/certificates/endpoints/1" },
        causes: ["expires_soon"],
        advice: "Renew it & install it.",
        tags: ["<!channel>", "prod"],
        certificate_id: ID,
        not_after: "2026-11-27T00:00:00.000Z",
        opened_at: at.toISOString(),
        resolved_at: null,
      },
    },
  ],
  organization: { id: ID, name: `Acme\r\nBcc: evil@example.test ${evil}`, slug: "acme" },
  rule: { id: ID, name: evil },
};

describe("webhook", () => {
  test("has data for programs alongside the words for people, as its published schema says", async () => {
    const { url, got } = await provider();
    for (const each of [hostile, message, { ...resolved, kind: "notice" as const }, { ...long, kind: "test" as const }])
      await sendTo("webhook", { url }, each);
    const ofSchema = z.fromJSONSchema(JSON.parse(readFileSync("docs/schemas/webhook-v1.json", "utf8")));
    for (const { json } of got) expect(ofSchema.safeParse(json).error).toBeUndefined();
    expect(got.map(({ json }) => dig(json, "type"))).toEqual(["alert.firing", "alert.firing", "notice", "test"]);
    expect(got[0]?.json).toMatchObject({
      version: 1,
      data: {
        organization: { id: ID, slug: "acme" },
        rule: { id: ID },
        severity: "critical",
        items: [
          {
            subject: evil,
            alert_id: ID,
            resource: { type: "endpoint", id: ID },
            causes: ["expires_soon"],
            tags: ["<!channel>", "prod"],
            certificate_id: ID,
            not_after: "2026-11-27T00:00:00.000Z",
          },
        ],
      },
    });
    expect(ofSchema.safeParse({ ...(got[0]?.json as object), version: 2 }).success).toBe(false);
  });

  test("is signed according to Standard Webhooks, with both secrets during a rotation", async () => {
    const { url, got } = await provider();
    const secrets = [newSigningSecret(), newSigningSecret()];
    expect(await sendTo("webhook", { url: `${url}/hook?a=1` }, message, secrets)).toEqual({ ok: true });
    const [sent] = got;
    expect(sent?.path).toBe("/hook?a=1");
    expect(sent?.headers).toMatchObject({ "webhook-id": ID, "webhook-timestamp": "1795271518" });
    const signatures = secrets.map((secret) => signatureOf(secret, ID, 1795271518, sent?.body ?? ""));
    expect(sent?.headers["webhook-signature"]).toBe(signatures.join(" "));
    expect(sent?.json).toMatchObject({ type: "alert.firing", timestamp: message.at, data: { title: message.title } });
  });

  test("matches the specification's example signature", () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const body = '{"test": 2432232314}';
    expect(signatureOf(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
  });

  test.each([
    [302, {}, true, null],
    [400, {}, true, null],
    [410, {}, true, null],
    [408, {}, false, null],
    [429, { "retry-after": "30" }, false, 30_000],
    [500, {}, false, null],
    [503, { "retry-after": "9999999" }, false, 3_600_000],
  ])("understands %i", async (status, headers, isFinal, retryAfterMs) => {
    const { url } = await provider((response) => response.writeHead(status, headers).end("no\nthanks"));
    const sent = await sendTo("webhook", { url });
    expect(sent).toEqual({ ok: false, reason: `HTTP status ${status}: no thanks`, isFinal, retryAfterMs });
  });

  test("does not reach forbidden networks, and reports network errors", async () => {
    const refused = await sendTo("webhook", { url: "http://10.0.0.1/secret-path" });
    expect(refused).toMatchObject({ ok: false, isFinal: true, reason: expect.stringContaining("forbidden network") });
    const { url } = await provider((response) => response.destroy());
    expect(await sendTo("webhook", { url })).toMatchObject({ ok: false, isFinal: false });
    expect(await sendTo("webhook", { url: "http://127.0.0.1:1/secret" })).toMatchObject({
      ok: false,
      isFinal: false,
      reason: "the connection was refused",
    });
  });
});

test("text from outside cannot rearrange the text around it", async () => {
  const { url, got } = await provider();
  const item = { ...(message.items[0] as (typeof message.items)[0]), subject: "\u202egro.live", detail: "\u2066x" };
  expect(await sendTo("slack", { url }, { ...message, title: "\u202eT", items: [item] })).toEqual({ ok: true });
  expect(got[0]?.body).not.toMatch(/\p{Bidi_Control}/u);
  expect(got[0]?.json).toMatchObject({ text: "Critical: \\E2\\80\\AET" });
});

describe("Slack", () => {
  test("receives text and blocks within its limits, with its special characters escaped", async () => {
    const { url, got } = await provider();
    expect(await sendTo("slack", { url: `${url}/services/T/B/x` })).toEqual({ ok: true });
    const title = "Critical: Expires soon: shop.example.com:443";
    expect(got[0]?.json).toMatchObject({
      text: title,
      blocks: [
        { type: "header", text: { type: "plain_text", text: title } },
        { type: "context", elements: [{ type: "mrkdwn", text: "21 November 2026, 14:31 UTC" }] },
        {
          type: "section",
          text: { type: "mrkdwn", text: expect.stringContaining("<http://x/1|shop.example.com:443>") },
        },
        { type: "section", text: { type: "mrkdwn" } },
        { type: "actions", elements: [{ type: "button", url: message.url }] },
      ],
    });
    expect(dig(got[0]?.json, "blocks.3.text.text")).toContain("6 days left &amp; counting &lt;soon&gt;.");
    expect(dig(got[0]?.json, "blocks.3.text.text")).toContain("and 2 more");
    await sendTo("slack", { url }, long);
    const blocks = dig(got[1]?.json, "blocks") as { type: string; text?: { text: string } }[];
    expect(blocks.length).toBeLessThanOrEqual(50);
    expect(lengthAt(got[1], "blocks.0.text.text")).toBeLessThanOrEqual(150);
    for (const { type, text } of blocks) if (type === "section") expect(text?.text.length).toBeLessThanOrEqual(3000);
  });

  test("shows organization, tags, expiry and what to do, and names cannot add links or mentions", async () => {
    const { url, got } = await provider();
    await sendTo("slack", { url }, hostile);
    expect(got[0]?.body).toContain("expires 27 November 2026, 00:00 UTC · tags: &lt;!channel&gt;");
    expect(got[0]?.body).toContain("*What to do:* Renew it &amp; install it.");
    const texts = got[0]?.body.split('"type":"mrkdwn","text":').slice(1).join() ?? "";
    expect(texts).toContain("&lt;!channel&gt;");
    expect(texts).not.toMatch(/<!channel>|<http:\/\/evil/);
  });
});

describe("Teams", () => {
  test("receives an Adaptive Card below 28 KB with escaped Markdown", async () => {
    const { url, got } = await provider((response) => response.writeHead(202).end());
    expect(await sendTo("teams", { url }, { ...message, title: "[x](http://evil) *b*" })).toEqual({ ok: true });
    expect(got[0]?.json).toMatchObject({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          content: { type: "AdaptiveCard", version: "1.4", actions: [{ type: "Action.OpenUrl", url: message.url }] },
        },
      ],
    });
    expect(dig(got[0]?.json, "attachments.0.content.body.0")).toMatchObject({
      type: "TextBlock",
      color: "Attention",
      text: "Critical: \\[x\\]\\(http://evil\\) \\*b\\*",
    });
    await sendTo("teams", { url }, hostile);
    const card = dig(got[1]?.json, "attachments.0.content.body") as { text: string }[];
    const texts = card.map(({ text }) => text).join("\n");
    expect(texts).toContain("**What to do:** Renew it & install it.");
    expect(texts).toContain("expires 27 November 2026");
    expect(texts).not.toMatch(/[^\\]\]\(http:\/\/evil/);
    got.splice(1, 1);
    await sendTo("teams", { url }, long);
    expect(Buffer.byteLength(got[1]?.body ?? "")).toBeLessThan(28 * 1024);
  });
});

describe("Discord", () => {
  test("receives one embed within its limits without mentions, and confirms it", async () => {
    const { url, got } = await provider((response) => response.writeHead(200).end("{}"));
    expect(await sendTo("discord", { url: `${url}/api/webhooks/1/x` }, { ...message, text: "@everyone" })).toEqual({
      ok: true,
    });
    expect(got[0]?.path).toBe("/api/webhooks/1/x?wait=true");
    expect(dig(got[0]?.json, "allowed_mentions")).toEqual({ parse: [] });
    await sendTo("discord", { url }, hostile);
    // The footer is plain text.
    const markdown = JSON.stringify({ ...(dig(got[1]?.json, "embeds.0") as object), footer: null });
    expect(markdown).not.toMatch(/[^\\]\]\(http:\/\/evil|[^\\]<http/);
    expect(dig(got[1]?.json, "embeds.0.fields.0.value")).toContain("Critical · expires 27 November 2026");
    got.splice(1, 1);
    await sendTo("discord", { url }, long);
    const embed = dig(got[1]?.json, "embeds.0") as Record<"title" | "description", string> & {
      fields: { name: string; value: string }[];
    };
    const all = [embed.title, embed.description, ...embed.fields.flatMap(({ name, value }) => [name, value])];
    expect(all.join("").length).toBeLessThanOrEqual(6000);
    expect(lengthAt(got[1], "embeds.0.title")).toBeLessThanOrEqual(256);
    expect(lengthAt(got[1], "embeds.0.description")).toBeLessThanOrEqual(4096);
  });
});

describe("PagerDuty", () => {
  const routing_key = "R".repeat(32);

  test("receives an event that opens an incident, and an event with the same key that resolves it", async () => {
    const { url, got } = await provider((response) => response.writeHead(202).end('{"status":"success"}'));
    const settings = { routing_key, api_url: url };
    expect(await sendTo("pagerduty", settings)).toEqual({ ok: true });
    expect(await sendTo("pagerduty", settings, resolved)).toEqual({ ok: true });
    await sendTo("pagerduty", settings, long);
    const [begins, ends] = got.map(({ json }) => json);
    expect(got[0]?.path).toBe("/v2/enqueue");
    expect(begins).toMatchObject({
      routing_key,
      event_action: "trigger",
      dedup_key: message.key,
      payload: { summary: message.title, source: "shop.example.com:443", severity: "critical", timestamp: message.at },
    });
    expect(ends).toEqual({ routing_key, event_action: "resolve", dedup_key: message.key });
    expect(lengthAt(got[2], "payload.summary")).toBeLessThanOrEqual(1024);
  });

  test("an event that it rejects as invalid is not sent again", async () => {
    const { url } = await provider((response) => response.writeHead(400).end('{"status":"invalid event"}'));
    expect(await sendTo("pagerduty", { routing_key, api_url: url })).toMatchObject({ ok: false, isFinal: true });
  });
});

describe("Telegram", () => {
  const settings = { bot_token: `123:${"a".repeat(35)}`, chat_id: "-1001" };

  test("receives plain text of at most 4096 characters at its bot's URL", async () => {
    const { url, got } = await provider((response) => response.end('{"ok":true}'));
    expect(await sendTo("telegram", { ...settings, api_url: url })).toEqual({ ok: true });
    await sendTo("telegram", { ...settings, api_url: url }, long);
    expect(got[0]?.path).toBe(`/bot${settings.bot_token}/sendMessage`);
    expect(got[0]?.json).toMatchObject({ chat_id: "-1001", link_preview_options: { is_disabled: true } });
    expect(got[0]?.json).not.toHaveProperty("parse_mode");
    expect(dig(got[0]?.json, "text")).toContain("<soon>");
    expect(lengthAt(got[1], "text")).toBeLessThanOrEqual(4096);
  });

  test("reads the wait from the body, and keeps the token out of reasons", async () => {
    const body = '{"ok":false,"error_code":429,"parameters":{"retry_after":7}}';
    const { url } = await provider((response) => response.writeHead(429).end(body));
    const sent = await sendTo("telegram", { ...settings, api_url: url });
    expect(sent).toMatchObject({ ok: false, isFinal: false, retryAfterMs: 7_000 });
    const unreadable = await provider((response) => response.writeHead(429).end('{"retry_after":1.2.3}'));
    const other = await sendTo("telegram", { ...settings, api_url: unreadable.url });
    expect(other).toMatchObject({ ok: false, isFinal: false, retryAfterMs: null });
    const away = await sendTo("telegram", { ...settings, api_url: "http://127.0.0.1:1" });
    expect(JSON.stringify(away)).not.toContain(settings.bot_token);
  });
});

describe("ntfy", () => {
  test("receives JSON with the topic at the root, and the token in the header", async () => {
    const { url, got } = await provider();
    expect(await sendTo("ntfy", { server: `${url}/`, topic: "ops", token: "tk_1" })).toEqual({ ok: true });
    expect(await sendTo("ntfy", { server: url, topic: "ops" }, resolved)).toEqual({ ok: true });
    await sendTo("ntfy", { server: url, topic: "ops" }, { ...long, text: "ü".repeat(9000) });
    expect(got[0]).toMatchObject({ path: "/", headers: { authorization: "Bearer tk_1" } });
    expect(got[0]?.json).toMatchObject({ topic: "ops", priority: 5, click: message.url });
    expect(got[1]?.headers.authorization).toBeUndefined();
    expect(Buffer.byteLength(String(dig(got[2]?.json, "message")))).toBeLessThanOrEqual(4096);
  });
});

describe("e-mail", () => {
  interface Mailbox {
    url: string;
    mails: { text: string; to: string[] }[];
    recipients: number;
    refusesSender: boolean;
  }
  let refuse: number | null;
  beforeEach(() => {
    refuse = null;
  });

  async function mailbox(options: { password?: string; says?: string } = {}): Promise<Mailbox> {
    const box: Mailbox = { url: "", mails: [], recipients: 0, refusesSender: false };
    const server = new SMTPServer({
      authOptional: options.password === undefined,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) =>
        password === options.password ? done(null, { user: "u" }) : done(new Error("wrong password")),
      onMailFrom: (_address, _session, done) =>
        done(box.refusesSender ? Object.assign(new Error("not this sender"), { responseCode: 550 }) : null),
      onRcptTo: (_address, _session, done) => {
        box.recipients++;
        done(refuse === null ? null : Object.assign(new Error(options.says ?? "not here"), { responseCode: refuse }));
      },
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          box.mails.push({
            text: Buffer.concat(chunks).toString(),
            to: envelope.rcptTo.map(({ address }) => address),
          });
          done();
        });
      },
    });
    server.on("error", () => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    closers.push(() => server.close());
    const credentials = options.password === undefined ? "" : `u:${encodeURIComponent(options.password)}@`;
    box.url = `smtp://${credentials}127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    return box;
  }

  /** The unfolded headers of a mail, and its decoded parts; empty if it has no such part. */
  function parseMail(raw: string): { head: string; text: string; html: string } {
    const partOf = (type: string) => {
      const [, head = "", body = ""] =
        new RegExp(`(Content-Type: ${type}(?:.+\\r\\n)+)\\r\\n([^]*?)(?=\\r\\n----_|$)`).exec(raw) ?? [];
      if (!/quoted-printable/.test(`${head}${raw.split("\r\n\r\n")[0]}`)) return body.replaceAll("\r\n", "\n");
      const bytes = body
        .replaceAll("=\r\n", "")
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
      return Buffer.from(bytes, "latin1").toString("utf8").replaceAll("\r\n", "\n");
    };
    const [head = ""] = raw.split("\r\n\r\n");
    return {
      head: head.replaceAll(/\r\n[ \t]+/g, " ").replaceAll("\r\n", "\n"),
      text: partOf("text/plain"),
      html: partOf("text/html"),
    };
  }

  const from = "watch@example.test";
  const to = ["a@example.test", "b@example.test"];

  test("reaches every recipient and puts the end in the thread of the start", async () => {
    const box = await mailbox({ password: "p@ss" });
    expect(await sendTo("email", { to, from, smtp_url: box.url })).toEqual({ ok: true });
    expect(await sendTo("email", { to, from, smtp_url: box.url }, resolved)).toEqual({ ok: true });
    const [begins, ends] = box.mails;
    expect(begins?.to).toEqual(to);
    expect(begins?.text).toContain("Subject: Critical: Expires soon: shop.example.com:443");
    expect(begins?.text).toContain(`Message-ID: <${ID}@127.0.0.1>`);
    expect(begins?.text).toContain("Auto-Submitted: auto-generated");
    expect(ends?.text).toContain("Subject: Resolved:");
    const thread = /^References: (.*)\r$/m;
    expect(thread.exec(begins?.text ?? "")?.[1]).toBe(thread.exec(ends?.text ?? "")?.[1]);
  });

  test("leaves no password in what the server said", async () => {
    const password = "p@ss word";
    const plain = Buffer.from(`\0u\0${password}`).toString("base64");
    const box = await mailbox({ password, says: `not here, u:${password} (PLAIN ${plain})` });
    refuse = 550;
    const sent = await sendTo("email", { to, from, smtp_url: box.url });
    expect(sent).toMatchObject({ ok: false, reason: expect.stringContaining("not here, u:[secret] (PLAIN [secret])") });
  });

  test("has in HTML and text the sender, the severity, the expiry, what to do, and why it was sent", async () => {
    const box = await mailbox();
    const organization = { id: ID, name: "Acme & Söhne", slug: "acme" };
    const content = { ...hostile, title: "T", text: "R", organization };
    expect(await sendTo("email", { to, from: "On call <watch@example.test>", smtp_url: box.url }, content)).toEqual({
      ok: true,
    });
    const mail = parseMail(box.mails[0]?.text ?? "");
    expect(mail.head).toMatch(/^From: "?On call"? <watch@example\.test>$/m);
    expect(mail.head).toMatch(/^List-Id?: .*<alerts\.acme\.127\.0\.0\.1>$/im);
    for (const text of [mail.text, mail.html.replace(/<[^>]+>/g, "").replaceAll("&#38;", "&")]) {
      expect(text).toContain("Acme & Söhne");
      expect(text).toContain("Critical");
      expect(text).toContain("expires 27 November 2026, 00:00 UTC");
      expect(text).toContain("Renew it & install it.");
      expect(text).toContain("You are receiving this e-mail because the alert rule");
    }
    expect(mail.html).toContain(`href="${message.url}"`);
    expect(mail.text).toContain(`Open in Sealwatch: ${message.url}`);
  });

  test("names are text in HTML, and load nothing", async () => {
    const box = await mailbox();
    expect(await sendTo("email", { to, from, smtp_url: box.url }, hostile)).toEqual({ ok: true });
    const mail = parseMail(box.mails[0]?.text ?? "");
    const { html } = mail;
    const tags = [...html.matchAll(/<\/?([a-z0-9]+)/g)].map(([, name]) => name);
    expect(
      [...new Set(tags)].filter((name) => ["img", "script", "link", "iframe", "form"].includes(name ?? "")),
    ).toEqual([]);
    expect(html).not.toMatch(/<http|<!channel|href="http:\/\/evil/);
    expect(html).toContain("&#60;img src=x onerror=alert(1)&#62;&#34;&#39;");
    const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(new Set(hrefs)).toEqual(
      new Set(["http://x/1", "http://127.0.0.1:3000/certificates/endpoints/1", message.url, channel.url]),
    );
    expect(mail.head).not.toMatch(/^Bcc:/m);
  });

  test("a checkpoint stays plain text, from which it is copied", async () => {
    const box = await mailbox();
    const checkpoint = {
      epoch: 1,
      size: 2,
      signed_at: message.at,
      vkey: "log+1+A",
      note: "log\n2\nroot\n\n— log sig\n",
    };
    await sendTo(
      "email",
      { to, from, smtp_url: box.url },
      { ...message, kind: "checkpoint", items: [], more: 0, checkpoint },
    );
    const mail = parseMail(box.mails[0]?.text ?? "");
    expect(mail.html).toBe("");
    expect(mail.text).toContain(checkpoint.note);
  });

  test("a name cannot add headers or recipients", async () => {
    const box = await mailbox();
    const title = "x\r\nBcc: evil@example.test\r\n\r\nhello";
    expect(await sendTo("email", { to, from, smtp_url: box.url }, { ...message, title })).toEqual({ ok: true });
    expect(box.mails[0]?.to).toEqual(to);
    const [head] = box.mails[0]?.text.split("\r\n\r\n") ?? [];
    expect(head).toContain("Subject: ");
    expect(head).not.toMatch(/^Bcc:/m);
  });

  test.each([
    [550, true],
    [451, false],
  ])("a recipient rejected with %i is final: %s", async (code, isFinal) => {
    const box = await mailbox();
    refuse = code;
    expect(await sendTo("email", { to, from, smtp_url: box.url })).toMatchObject({ ok: false, isFinal });
    expect(box.recipients).toBeGreaterThan(0);
    expect(box.mails).toEqual([]);
  });

  test("a wrong password is final; an absent or forbidden server is reported", async () => {
    const box = await mailbox({ password: "right" });
    const wrong = box.url.replace("right", "wrong");
    expect(await sendTo("email", { to, from, smtp_url: wrong })).toMatchObject({ ok: false, isFinal: true });
    expect(await sendTo("email", { to, from, smtp_url: "smtp://127.0.0.1:1" })).toMatchObject({
      ok: false,
      isFinal: false,
    });
    expect(await sendTo("email", { to, from, smtp_url: "smtp://10.0.0.1" })).toMatchObject({
      ok: false,
      isFinal: true,
      reason: expect.stringContaining("forbidden network"),
    });
  });

  test("what is wrong with the installation's mail server is no fault of its channels, for days", async () => {
    const box = await mailbox({ password: "right" });
    const ours = { to, from: null, smtp_url: null };
    const by = async (SMTP_URL: string, ageMs: number) => {
      configure({ SMTP_URL, SMTP_FROM: from });
      return sendTo("email", ours, { ...message, at: new Date(Date.now() - ageMs).toISOString() });
    };
    const wrong = box.url.replace("right", "wrong");
    const warn = vi.spyOn(log, "warn");
    for (const url of [wrong, "smtp://127.0.0.1:1"]) {
      expect(await by(url, 0)).toMatchObject({ isFinal: false, isUncounted: true, retryAfterMs: 10_000 });
      expect(await by(url, DAY_MS)).toMatchObject({ isFinal: false, isUncounted: true, retryAfterMs: 1_800_000 });
      expect(await by(url, 4 * DAY_MS)).toMatchObject({ isFinal: true, isUncounted: true });
    }
    expect(warn.mock.calls.map(([, words]) => words)).toEqual(["the mail server accepts no e-mails"]);
    warn.mockRestore();
    refuse = 550;
    const refused = await by(box.url, 0);
    expect(refused).toMatchObject({ ok: false, isFinal: true });
    expect(refused).not.toHaveProperty("isUncounted");
    refuse = null;
    box.refusesSender = true;
    expect(await by(box.url, 0)).toMatchObject({ isFinal: false, isUncounted: true });
  });
});

test("shortening splits no character", () => {
  expect(cut("abc", 3)).toBe("abc");
  expect(cut("abcd", 3)).toBe("ab…");
  expect(cut("a😀😀", 3)).toBe("a…");
});
