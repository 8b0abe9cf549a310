import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Api, withKey } from "@/e2e/support/api";
import type { Answer } from "@/e2e/support/http";
import { bind } from "@/e2e/support/organization";
import { rawRequest } from "@/e2e/support/raw";
import { query } from "@/e2e/support/servers/databases";
import { familyOf } from "@/e2e/support/servers/processes";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { MaliciousProvider } from "@/e2e/support/stand-ins/malicious-provider";
import { Visitor } from "@/e2e/support/visitor";
import { newId } from "@/lib/ids";

const ENCRYPTION_KEY = Buffer.from("an encryption key of 32 bytes ..").toString("base64");
const OWN = {
  SESSION_SECRET: "the session secret that nobody may read anywhere",
  ENCRYPTION_KEY,
  OIDC_CLIENT_SECRET: MaliciousProvider.clientSecret,
  STRIPE_SECRET_KEY: "sk_test_thatnobodymayread",
  STRIPE_WEBHOOK_SECRET: "whsec_thatnobodymayreadeither",
  SMTP_PASSWORD: "thePasswordOfTheMailServer",
};

const provider = new MaliciousProvider();
/** A server that refuses every request and repeats it in the response, like a badly designed service. */
const echo = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  if (request.url?.startsWith("/v1/")) {
    // Stripe's own words.
    const error = { type: "invalid_request_error", message: "Invalid API Key provided: sk_test_*************read" };
    return void response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  }
  const said = { url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() };
  response.writeHead(400, { "content-type": "application/json" });
  response.end(
    JSON.stringify({ error: { type: "invalid_request_error", message: `${request.url} ${JSON.stringify(said)}` } }),
  );
});
let echoUrl: string;
let server: Sealwatch;

beforeAll(async () => {
  await provider.up();
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  const { port } = echo.address() as AddressInfo;
  echoUrl = `http://127.0.0.1:${port}`;
  server = await startSealwatch({
    LOG_LEVEL: "trace",
    SESSION_SECRET: OWN.SESSION_SECRET,
    ENCRYPTION_KEY,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: MaliciousProvider.clientId,
    OIDC_CLIENT_SECRET: OWN.OIDC_CLIENT_SECRET,
    STRIPE_SECRET_KEY: OWN.STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: OWN.STRIPE_WEBHOOK_SECRET,
    STRIPE_PRICES: "team=price_team",
    STRIPE_API_URL: echoUrl,
    SMTP_URL: `smtp://someone:${OWN.SMTP_PASSWORD}@127.0.0.1:${port}`,
    SMTP_FROM: "sealwatch@example.test",
    PROBE_ALLOWED_NETWORKS: "127.0.0.0/8",
  });
  bind(server);
});
afterAll(async () => {
  await server?.destroy();
  await provider.down();
  echo.closeAllConnections();
  echo.close();
});

/** Secrets by name. `Submitted` ones were in a request's body, which the audit log keeps as sent, and may be only there. */
class Found {
  readonly issued = new Map<string, string>(Object.entries(OWN));
  readonly submitted = new Map<string, string>();
  /** All responses except those that issue a secret. */
  readonly responses: string[] = [];

  issue(what: string, secret: string): string {
    expect(secret.length, what).toBeGreaterThan(11);
    this.issued.set(`${what} ${this.issued.size}`, secret);
    return secret;
  }

  submit(what: string, secret: string): string {
    this.submitted.set(what, secret);
    return secret;
  }

  async record<Data>(asking: Promise<Answer<Data>>): Promise<Answer<Data>> {
    const answer = await asking;
    this.responses.push(answer.text);
    return answer;
  }
}

/** The forms of a text in a dump: plain, as PostgreSQL's bytes, or encoded. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, json, encodeURIComponent(secret), bytes.toString("hex"), bytes.toString("base64").replace(/=+$/, "")];
}

/** The names of the secrets in a text. */
function within(text: string, secrets: Map<string, string>): string[] {
  return [...secrets].filter(([, secret]) => formsOf(secret).some((form) => text.includes(form))).map(([name]) => name);
}

async function dump(database: "app" | "audit"): Promise<Map<string, string>> {
  const tables = await query<{ name: string }>(
    server,
    database,
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(server, database, `SELECT t::text AS row FROM ${name} AS t`);
    texts.set(name, rows.map(({ row }) => row.replaceAll('""', '"')).join("\n"));
  }
  return texts;
}

interface WithSecret {
  id: string;
  secret: string;
}

async function useKeys(found: Found, admin: Api): Promise<string> {
  const { data: key } = await admin.post<WithSecret>("/api-keys", { name: "Key", permission: "admin" });
  const first = found.issue("API key", key.secret);
  const api = withKey(server, first);
  await found.record(api.get("/api-keys"));
  await found.record(api.get(`/api-keys/${key.id}`));
  const rotated = await api.post<WithSecret>(`/api-keys/${key.id}/rotate`);
  const second = found.issue("API key, rotated", rotated.data.secret);
  await found.record(api.get("/api-keys"));
  await found.record(withKey(server, second).delete(`/api-keys/${key.id}`));
  await found.record(withKey(server, second).post("/api-keys", "{ no JSON"));
  // With a missing or extra letter, and in other authentication schemes.
  for (const header of [`Bearer ${second.slice(0, -1)}`, `Bearer ${second}x`, `Basic ${second}`, second]) {
    await found.record(new Api(server.url, { authorization: header }).get("/api-keys"));
  }
  const { data: kept } = await admin.post<WithSecret>("/api-keys", { name: "Kept", permission: "admin" });
  return found.issue("API key", kept.secret);
}

async function useChannels(found: Found, admin: Api): Promise<void> {
  const hook = (name: string) => `${echoUrl}/${found.submit(name, `services-${newId()}`)}`;
  const settings: Record<string, Record<string, unknown>> = {
    webhook: { url: `${echoUrl}/hook` },
    slack: { url: hook("Slack's address") },
    teams: { url: hook("Teams' address") },
    discord: { url: hook("Discord's address") },
    pagerduty: { routing_key: found.submit("routing key", "R0123456789abcdefghijklmnopqrstu"), api_url: echoUrl },
    telegram: { bot_token: found.submit("bot token", `123456:${newId()}`), chat_id: "-1", api_url: echoUrl },
    ntfy: { topic: "a", token: found.submit("ntfy token", `tk_${newId()}`), server: echoUrl },
    email: {
      to: ["someone@example.test"],
      from: "sealwatch@example.test",
      smtp_url: `smtp://user:${found.submit("mail password", `mail-${newId()}`)}@${new URL(echoUrl).host}`,
    },
  };
  for (const [type, each] of Object.entries(settings)) {
    const made = await admin.post<{ id: string; signing_secret: string | null }>("/notification-channels", {
      type,
      name: type,
      settings: each,
    });
    const { id, signing_secret } = made.data;
    if (signing_secret === null) found.responses.push(made.text);
    else found.issue("signing secret", signing_secret);
    await found.record(admin.post(`/notification-channels/${id}/test`));
    await found.record(admin.get(`/notification-channels/${id}`));
    if (signing_secret === null) continue;
    const { data } = await admin.post<{ signing_secret: string }>(`/notification-channels/${id}/rotate-secret`);
    found.issue("signing secret, rotated", data.signing_secret);
    await found.record(admin.post(`/notification-channels/${id}/test`));
  }
  await found.record(admin.get("/notification-channels"));
  await found.record(admin.get("/notification-channels/deliveries"));
}

async function useCalendar(found: Found, admin: Api): Promise<void> {
  const { data } = await admin.post<{ id: string; url: string }>("/certificates/calendars", { name: "Calendar" });
  const url = new URL(data.url);
  const signature = found.issue("calendar signature", url.searchParams.get("signature") ?? "");
  const feed = (query: string) => fetch(`${server.url}${url.pathname}?${query}`).then((answer) => answer.text());
  found.responses.push(await feed(`signature=${signature}`), await feed(`unheard=1&sig%6eature=${signature}`));
  for (const method of ["HEAD", "OPTIONS", "PROPFIND", "POST"]) {
    const answer = await rawRequest(
      server,
      `${method} ${url.pathname}?signature=${signature} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    found.responses.push(answer?.bytes.toString() ?? "");
  }
  const near = `${url.pathname.replace("/feed", "/feeds")}?Signature=${signature}`;
  for (const bytes of [
    `GET ${near} HTTP/1.1\r\nHost: x\r\n`,
    `GET ${url.pathname}?signature=${signature} HTTP/9.9\r\n`,
  ]) {
    const answer = await rawRequest(server, `${bytes}Connection: close\r\n\r\n`);
    expect(answer?.headers["x-request-id"]).toBeDefined();
    found.responses.push(answer?.bytes.toString() ?? "");
  }
  await found.record(admin.get(`/certificates/calendars/${data.id}`));
  await found.record(admin.delete(`/certificates/calendars/${data.id}`));
  found.responses.push(await feed(`signature=${signature}`));
}

async function signIns(found: Found): Promise<Visitor> {
  const cookies = (visitor: Visitor) => {
    for (const line of visitor.setCookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value.length > 40) found.issue(`cookie ${name}`, value);
    }
  };
  // Only the honest one may succeed; each leaves its parameters in the callback URL.
  for (const misbehavior of [
    { token: () => ({ status: 400, body: { error: "invalid_client", error_description: "Invalid client secret." } }) },
    { signature: "unknown key" as const },
    { back: { error: "access_denied", error_description: "no" } },
    { back: { state: "another" } },
  ]) {
    provider.misbehavior = misbehavior;
    provider.person = MaliciousProvider.newPerson();
    const refused = new Visitor(server, server.url);
    await refused.signIn();
    cookies(refused);
  }
  provider.misbehavior = {};
  provider.person = MaliciousProvider.newPerson();
  const visitor = new Visitor(server, server.url);
  expect(await visitor.signIn("/api-keys")).toBe("/api-keys");
  cookies(visitor);
  for (const token of provider.tokens) found.issue("ID token", token);
  return visitor;
}

test("no issued or configured secret is in a log, a database, a response or a command line", async () => {
  const found = new Found();
  const visitor = await signIns(found);
  const { api } = visitor;
  await found.record(api.get("/api-keys"));
  const secret = await useKeys(found, api);
  await useChannels(found, api);
  await useCalendar(found, api);
  await found.record(api.post("/billing/checkout", { plan: "team" }));
  await found.record(api.post("/billing/webhook", "{}", { headers: { "stripe-signature": "t=1,v1=00" } }));
  const key = withKey(server, secret);
  await found.record(key.get("/audit-logs?limit=200"));
  await found.record(key.get("/audit-logs/export?format=ndjson"));
  await found.record(key.get("/audit-logs/stats"));
  await found.record(key.get("/openapi.json"));
  found.responses.push(
    (await visitor.request("GET", "/audit-logs")).text,
    (await visitor.request("GET", "/api-keys")).text,
  );

  const { stdout, stderr } = server.output();
  const log = stdout + stderr;
  expect(stderr).toContain('"level":');
  const everything = new Map([...found.issued, ...found.submitted]);
  expect(everything.size).toBeGreaterThan(25);
  expect(within(log, everything), "in the log").toEqual([]);
  expect(within(found.responses.join("\n"), everything), "in answers").toEqual([]);
  const commands = familyOf(server.plain.pid).map(({ pid, command }) => {
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8").length).toBeGreaterThan(0);
    return command;
  });
  expect(within(commands.join("\n"), everything), "in a command line").toEqual([]);
  for (const database of ["app", "audit"] as const) {
    for (const [table, text] of await dump(database)) {
      // Bodies are stored as submitted, so a secret in a body is readable there, and nowhere else.
      const secrets = /audit_bodies/.test(table) ? found.issued : everything;
      expect(within(text, secrets), `in ${database}'s ${table}`).toEqual([]);
    }
  }
});
