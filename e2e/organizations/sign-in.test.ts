import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { query, type StoredEvent, whenDelivered } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { MaliciousProvider, type Misbehavior } from "@/e2e/support/stand-ins/malicious-provider";
import { until } from "@/e2e/support/until";
import { Visitor } from "@/e2e/support/visitor";
import { NOBODY } from "@/lib/ids";
import { type RefusalCode, refusals } from "@/lib/sign-in/sign-in-refused";

const ORIGIN = "https://sealwatch.test";
const SESSION = "__Host-sealwatch.session";
const provider = new MaliciousProvider();
let server: Sealwatch;

/** A sign-in, or its start, that waits for a response of the provider until our time limit. */
interface Hanging {
  visitor: Visitor;
  sub: unknown;
  end: Promise<string>;
}
const stalls: [string, Misbehavior, (visitor: Visitor) => Promise<string>, RegExp | null][] = [
  ["a token endpoint that does not answer", { token: () => "stall" }, (visitor) => visitor.signIn(), /timed out/],
  ["a token endpoint that does not end", { token: () => "begin and stall" }, (visitor) => visitor.signIn(), /too long/],
  ["a configuration that does not come", { discovery: () => "stall" }, (visitor) => visitor.start(), null],
];
/** They begin before all tests and end meanwhile. */
const hanging = new Map<string, Hanging>();

beforeAll(async () => {
  await provider.up();
  server = await startSealwatch({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: MaliciousProvider.clientId,
    OIDC_CLIENT_SECRET: MaliciousProvider.clientSecret,
    // Configured as if behind a proxy that terminates TLS.
    PUBLIC_URL: ORIGIN,
    TRUSTED_PROXIES: "127.0.0.1/32",
  });
  for (const [name, misbehavior, begin] of stalls) {
    const visitor = someone();
    const before = provider.stalled;
    provider.misbehavior = misbehavior;
    hanging.set(name, { visitor, sub: provider.person.sub, end: begin(visitor) });
    await until("the provider stalls", () => provider.stalled > before);
    provider.misbehavior = {};
  }
});
afterEach(() => {
  provider.misbehavior = {};
});
afterAll(async () => {
  await server.destroy();
  await provider.down();
});

/** A browser of a new person. */
function someone(person: Record<string, unknown> = MaliciousProvider.newPerson()): Visitor {
  provider.person = person;
  return new Visitor(server, ORIGIN);
}

/** The events of a browser's sign-ins and sign-outs, oldest first. */
async function eventsOf({ userAgent }: Visitor): Promise<StoredEvent[]> {
  await whenDelivered(server);
  const text = "SELECT * FROM audit_events WHERE user_agent = $1 AND action LIKE 'session.%' ORDER BY id";
  return query<StoredEvent>(server, "audit", text, [userAgent]);
}

const sessionsOf = (sub: unknown) =>
  query<{ id: string; ended_at: Date | null; id_token: string | null }>(
    server,
    "app",
    "SELECT s.* FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.subject = $1 ORDER BY s.created_at",
    [sub],
  );

/** The sign-in page names each refusal; once is enough for each. */
const shown = new Set<RefusalCode>();

/** Checks that the sign-in ended on the sign-in page with the reason, without a session and with one event. */
async function expectRefusal(visitor: Visitor, end: string, code: RefusalCode, reason: RegExp | null): Promise<void> {
  expect(end).toBe(`/sign-in?error=${code}`);
  if (!shown.has(code)) {
    const page = await visitor.request("GET", end);
    expect(page.status).toBe(200);
    expect(page.text.replaceAll("&#x27;", "'")).toContain(refusals[code]);
    shown.add(code);
  }
  expect(visitor.cookies.has(SESSION)).toBe(false);
  const events = await eventsOf(visitor);
  expect(events).toHaveLength(reason === null ? 0 : 1);
  if (reason === null) return;
  expect(events[0]).toMatchObject({
    organization_id: NOBODY,
    auth_type: "anonymous",
    flags: ["sign_in_refused"],
    is_security_event: true,
    error_message: expect.stringMatching(reason),
    ip_address: visitor.address,
  });
}

describe("an honest sign-in", () => {
  test("leads to the requested page, with cookies that only this host can set and no script can read", async () => {
    const visitor = someone();
    expect(await visitor.signIn("/api-keys?x=1")).toBe("/api-keys?x=1");
    expect((await visitor.api.get("/api-keys")).status).toBe(200);
    const lasting = visitor.setCookies.filter((line) => !/Max-Age=0/i.test(line));
    const use = (line: string) => /^__Host-sealwatch\.(\w+)=/.exec(line)?.[1];
    expect(new Set(lasting.map(use))).toEqual(new Set(["csrf", "callback", "state", "pkce", "nonce", "session"]));
    for (const line of visitor.setCookies) {
      expect(line).toMatch(/; Path=\//i);
      expect(line).toMatch(/; HttpOnly/i);
      expect(line).toMatch(/; Secure/i);
      expect(line).toMatch(/; SameSite=Lax/i);
      expect(line).not.toMatch(/Domain/i);
    }
    expect((await visitor.request("GET", "/sign-in")).headers["strict-transport-security"]).toBe("max-age=31536000");
    expect(await eventsOf(visitor)).toMatchObject([{ flags: ["sign_in"], user_email: provider.person.email }]);
  });

  test("accepts email_verified as text, and a missing name", async () => {
    const { sub, email } = MaliciousProvider.newPerson();
    const visitor = someone({ sub, email, email_verified: "true" });
    expect(await visitor.signIn()).toBe("/");
    expect(await eventsOf(visitor)).toMatchObject([{ user_name: email }]);
  });
});

describe("a provider's response that must not be trusted", () => {
  const claims = (change: Record<string, unknown>): Misbehavior => ({ claims: (honest) => ({ ...honest, ...change }) });
  const past = { iat: 1_000_000_000, exp: 1_000_000_600 };
  const cases: [string, Misbehavior, RefusalCode, RegExp][] = [
    ["consent refused", { back: { error: "access_denied" } }, "Declined", /access_denied/],
    ["an error of its own", { back: { error: "server_error" } }, "ProviderError", /server_error/],
    ["an error that is none", { back: { error: "<script>" } }, "ProviderError", /unknown error/],
    ["another state", { back: { state: "forged" } }, "NotStarted", /state mismatch/],
    ["no state", { back: { state: "" } }, "NotStarted", /state/],
    ["a code it never gave", { back: { code: "forged" } }, "ProviderAnswer", /invalid_grant/],
    ["another issuer", claims({ iss: "https://evil.test" }), "ProviderAnswer", /iss/],
    [
      "another issuer in all it says",
      {
        discovery: (document) => ({ body: { ...document, issuer: "https://evil.test" } }),
        ...claims({ iss: "https://evil.test" }),
      },
      "ProviderAnswer",
      /has the issuer https:\/\/evil\.test/,
    ],
    ["another audience", claims({ aud: "another client" }), "ProviderAnswer", /aud/],
    ["no audience", claims({ aud: undefined }), "ProviderAnswer", /aud/],
    ["another party", claims({ aud: ["sealwatch", "x"], azp: "x" }), "ProviderAnswer", /azp/],
    ["a token that expired", claims(past), "ProviderAnswer", /expired/],
    ["a token without an end", claims({ exp: undefined }), "ProviderAnswer", /exp/],
    ["the nonce of another sign-in", claims({ nonce: "another" }), "ProviderAnswer", /nonce mismatch/],
    ["no nonce", claims({ nonce: undefined }), "ProviderAnswer", /nonce/],
    ["no subject", claims({ sub: undefined }), "ProviderAnswer", /sub/],
    ["an empty subject", claims({ sub: "" }), "ProviderAnswer", /./],
    ["a signature by a key it does not publish", { signature: "unknown key" }, "ProviderAnswer", /signature/],
    ["a signature by the secret we share", { signature: "shared secret" }, "ProviderAnswer", /alg/],
    ["no signature", { signature: "none" }, "ProviderAnswer", /alg/],
    ["no ID token", { token: ({ id_token: _, ...rest }) => ({ body: rest }) }, "ProviderAnswer", /id_token/],
    [
      "an ID token that is none",
      { token: (tokens) => ({ body: { ...tokens, id_token: "a.b.c" } }) },
      "ProviderAnswer",
      /./,
    ],
    ["a page instead of tokens", { token: () => ({ body: "<html>" }) }, "ProviderAnswer", /./],
    ["no keys", { jwks: { body: "nonsense" } }, "ProviderAnswer", /./],
    ["a token endpoint that fails", { token: () => ({ status: 503, body: {} }) }, "ProviderAway", /503/],
    ["no e-mail address", claims({ email: undefined }), "NoEmail", /sent no e-mail/],
    ["an e-mail address that is none", claims({ email: 7 }), "NoEmail", /sent no e-mail/],
    ["an unverified address", claims({ email_verified: false }), "UnverifiedEmail", /is verified/],
    ["an unverified address, as text", claims({ email_verified: "false" }), "UnverifiedEmail", /is verified/],
    ["no word on verification", claims({ email_verified: undefined }), "UnverifiedEmail", /is verified/],
    ["nonsense on verification", claims({ email_verified: { yes: 1 } }), "UnverifiedEmail", /is verified/],
  ];

  test.each(cases)("%s", async (_, misbehavior, code, reason) => {
    const visitor = someone();
    provider.misbehavior = misbehavior;
    const isNew = !shown.has(code);
    await expectRefusal(visitor, await visitor.signIn(), code, reason);
    expect(await query(server, "app", "SELECT 1 FROM users WHERE subject = $1", [provider.person.sub])).toEqual([]);
    // The state of the sign-in is used up: the next one starts over, and succeeds.
    expect([...visitor.cookies.keys()].filter((name) => /state|pkce|nonce/.test(name))).toEqual([]);
    provider.misbehavior = {};
    if (isNew) expect(await visitor.signIn()).toBe("/");
  });
});

describe("a provider whose configuration cannot be read", () => {
  const cases: [string, Misbehavior["discovery"], RefusalCode][] = [
    ["fails", () => ({ status: 500, body: {} }), "ProviderAway"],
    ["answers with a page", () => ({ body: "<html>" }), "ProviderAnswer"],
    ["says nothing of itself", () => ({ body: {} }), "ProviderAnswer"],
    [
      "would have a script run",
      (document) => ({ body: { ...document, authorization_endpoint: "javascript:alert(1)" } }),
      "ProviderAnswer",
    ],
  ];

  test.each(cases)("because it %s", async (_, discovery, code) => {
    const visitor = someone();
    provider.misbehavior = discovery ? { discovery } : {};
    await expectRefusal(visitor, await visitor.start(), code, null);
  });
});

describe("an unrequested callback", () => {
  test("signs nobody in if the browser has started no sign-in", async () => {
    const attacker = someone();
    const back = await attacker.consent(await attacker.start());
    const victim = someone();
    await expectRefusal(victim, await victim.arrive(back), "NotStarted", /No sign-in is in progress/);
  });

  test("signs nobody in if the browser has started another sign-in", async () => {
    const attacker = someone();
    const back = await attacker.consent(await attacker.start());
    const victim = someone();
    await victim.start();
    await expectRefusal(victim, await victim.arrive(back), "NotStarted", /state mismatch/);
  });

  test("works once", async () => {
    const visitor = someone();
    const back = await visitor.consent(await visitor.start());
    const before = new Map(visitor.cookies);
    expect(await visitor.arrive(back)).toBe("/");
    const thief = someone();
    await expectRefusal(thief, await thief.arrive(back), "NotStarted", /No sign-in is in progress/);
    // Even with the current cookies, the code is used up at the provider.
    for (const [name, value] of before) thief.cookies.set(name, value);
    expect(await thief.arrive(back)).toBe("/sign-in?error=ProviderAnswer");
    expect((await eventsOf(thief)).at(-1)?.error_message).toMatch(/invalid_grant/);
    expect(thief.cookies.has(SESSION)).toBe(false);
  });

  test.each(["/", "?error=access_denied", "?code=x&state=y", `?error=${"x".repeat(5000)}`])("%s", async (query) => {
    const visitor = someone();
    await expectRefusal(
      visitor,
      await visitor.arrive(`/api/auth/callback/oidc${query.slice(query === "/" ? 1 : 0)}`),
      "NotStarted",
      /./,
    );
  });
});

describe("a sign-in cannot be started", () => {
  const form = async (visitor: Visitor) => {
    const { csrfToken } = (await visitor.request("GET", "/api/auth/csrf")).json as { csrfToken: string };
    return new URLSearchParams({ csrfToken, callbackUrl: "/", json: "true" }).toString();
  };

  test.each<[string, Record<string, string>]>([
    ["another site", { origin: "https://evil.test", "sec-fetch-site": "cross-site" }],
    ["a neighbour", { origin: "https://www.sealwatch.test", "sec-fetch-site": "same-site" }],
    ["nowhere", { origin: "null" }],
  ])("from %s", async (_, headers) => {
    const visitor = someone();
    const answer = await visitor.request("POST", "/api/auth/signin/oidc", await form(visitor), headers);
    expect([answer.status, (answer.json as { url: string }).url]).toEqual([403, "/sign-in?error=NotStarted"]);
  });

  test("with foreign parameters for the provider", async () => {
    const visitor = someone();
    const target = "/api/auth/signin/oidc?redirect_uri=https://evil.test&prompt=none";
    expect((await visitor.request("POST", target, await form(visitor))).status).toBe(403);
  });

  test("without our own page's token", async () => {
    const visitor = someone();
    const answer = await visitor.request("POST", "/api/auth/signin/oidc", "csrfToken=forged&json=true");
    expect(answer.json).toEqual({ url: "/sign-in?error=NotStarted" });
  });

  test.each(["signin", "signout", "session", "providers", "_log", "error", "verify-request", "callback/other"])(
    "at next-auth's %s, which does not exist",
    async (path) => {
      for (const method of ["GET", "POST"]) {
        expect((await someone().request(method, `/api/auth/${path}`)).status).toBe(404);
      }
    },
  );
});

describe("a sign-in never leads to another site", () => {
  test.each([
    ["https://evil.test/", "/"],
    ["https://evil.test/api-keys", "/api-keys"],
    ["//evil.test", "/"],
    ["/\\evil.test", "/"],
    ["\\\\evil.test", "/"],
    ["/%5Cevil.test", "/%5Cevil.test"],
    ["/%2F%2Fevil.test", "/%2F%2Fevil.test"],
    [`${ORIGIN}.evil.test/`, "/"],
    [`${ORIGIN}@evil.test/`, "/"],
    ["javascript:alert(1)", "/"],
    ["data:text/html,x", "/"],
    ["/a\r\nLocation: https://evil.test", "/aLocation:%20https://evil.test"],
  ])("requested as %j", async (asked, path) => {
    expect(await someone().signIn(asked)).toBe(path);
  });

  test.each(["https://evil.test", "//evil.test", "%2F%2Fevil.test", "javascript:alert(1)", "%"])(
    "requested by the cookie %s",
    async (value) => {
      const visitor = someone();
      const back = await visitor.consent(await visitor.start());
      visitor.cookies.set("__Host-sealwatch.callback", value);
      const end = await visitor.arrive(back);
      expect(new URL(end, ORIGIN).origin).toBe(ORIGIN);
    },
  );
});

describe("a person", () => {
  test("is identified by the subject, whatever their current address and name", async () => {
    const person = MaliciousProvider.newPerson();
    await someone(person).signIn();
    const renamed = { ...person, email: `new-${person.email}`, name: "Married" };
    const visitor = someone(renamed);
    expect(await visitor.signIn()).toBe("/");
    expect(await eventsOf(visitor)).toMatchObject([{ user_email: renamed.email, user_name: "Married" }]);
    expect(await sessionsOf(person.sub)).toHaveLength(2);
  });

  test("is the same whether their issuer was stored with a final slash or without, also when they are relinked", async () => {
    const person = MaliciousProvider.newPerson();
    await someone(person).signIn();
    const spell = "UPDATE users SET issuer = issuer || '/' WHERE subject = $1 RETURNING id, issuer";
    const stored = await query(server, "app", spell, [person.sub]);
    expect(await someone(person).signIn()).toBe("/");
    expect(await query(server, "app", "SELECT id, issuer FROM users WHERE subject = $1", [person.sub])).toEqual(stored);
    const other = someone();
    await other.signIn();
    const [event] = await eventsOf(other);
    const who = ["--org", event?.organization_id ?? "", "--email", event?.user_email ?? ""];
    const taken = await server.command(["member", "relink", ...who, "--subject", person.sub]);
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining(person.email)]);
  });

  test.each<[string, (email: string) => string]>([
    ["the same", (email) => email],
    ["in capitals", (email) => email.toUpperCase()],
  ])(
    "is not identified by the address of a known one, %s: the sign-in is refused, with an event in the known person's organization",
    async (_, spell) => {
      const known = MaliciousProvider.newPerson();
      const first = someone(known);
      await first.signIn();
      const [signedIn] = await eventsOf(first);
      const newcomer = {
        ...MaliciousProvider.newPerson(),
        email: spell(known.email),
      };
      const visitor = someone(newcomer);
      expect(await visitor.signIn()).toBe("/sign-in?error=EmailTaken");
      expect((await visitor.request("GET", "/sign-in?error=EmailTaken")).text).toContain(refusals.EmailTaken);
      expect(await eventsOf(visitor)).toMatchObject([
        {
          organization_id: signedIn?.organization_id,
          auth_type: "anonymous",
          user_id: null,
          flags: ["sign_in_refused"],
          error_message: expect.stringContaining(newcomer.sub),
        },
      ]);
      expect(await sessionsOf(newcomer.sub)).toEqual([]);
    },
  );

  test("whose account was replaced gets the new one from the operator, and stays the same person", async () => {
    const known = MaliciousProvider.newPerson();
    const before = someone(known);
    await before.signIn();
    const [{ organization_id: org, user_id } = { organization_id: "", user_id: "" }] = await eventsOf(before);
    const replaced = { ...MaliciousProvider.newPerson(), email: known.email };
    expect(await someone(replaced).signIn()).toBe("/sign-in?error=EmailTaken");
    const who = ["--org", org, "--email", known.email];
    expect(await server.cli("member", "relink", ...who, "--subject", replaced.sub)).toEqual({
      user_id,
      subject: replaced.sub,
    });
    expect((await before.api.get("/api-keys")).status).toBe(401);
    const after = someone(replaced);
    expect(await after.signIn()).toBe("/");
    expect(await eventsOf(after)).toMatchObject([{ user_id, organization_id: org }]);
    expect(await someone(known).signIn()).toBe("/sign-in?error=EmailTaken");
    const other = MaliciousProvider.newPerson();
    await someone(other).signIn();
    const taken = await server.command(["member", "relink", ...who, "--subject", other.sub]);
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining(other.email)]);
  });

  test("cannot take the address of a known person later", async () => {
    const [known, other] = [MaliciousProvider.newPerson(), MaliciousProvider.newPerson()];
    await someone(known).signIn();
    await someone(other).signIn();
    expect(await someone({ ...other, email: known.email }).signIn()).toBe("/sign-in?error=EmailTaken");
    expect(await someone(other).signIn()).toBe("/");
  });

  test("with one address is one person, even if two sign in at once", async () => {
    const email = MaliciousProvider.newPerson().email;
    const arrivals: (() => Promise<string>)[] = [];
    for (let count = 0; count < 4; count++) {
      const visitor = someone({ ...MaliciousProvider.newPerson(), email });
      const back = await visitor.consent(await visitor.start());
      arrivals.push(() => visitor.arrive(back));
    }
    const ends = await Promise.all(arrivals.map((arrive) => arrive()));
    expect(ends.sort()).toEqual(["/", ...Array.from({ length: 3 }, () => "/sign-in?error=EmailTaken")]);
  });
});

describe("a session", () => {
  test("is never one that the browser sent, and replaces its previous one", async () => {
    const person = MaliciousProvider.newPerson();
    const visitor = someone(person);
    await visitor.signIn();
    const before = visitor.cookies.get(SESSION) ?? "";
    await visitor.signIn();
    expect(visitor.cookies.get(SESSION)).not.toBe(before);
    expect((await sessionsOf(person.sub)).map(({ ended_at }) => ended_at !== null)).toEqual([true, false]);
    const old = new Visitor(server, ORIGIN);
    old.cookies.set(SESSION, before);
    expect((await old.api.get("/api-keys")).status).toBe(401);
    expect((await visitor.api.get("/api-keys")).status).toBe(200);
  });

  test("ends immediately by signing out, and no other does; the provider gets its ID token", async () => {
    const person = MaliciousProvider.newPerson();
    const [here, there] = [someone(person), someone(person)];
    await there.signIn();
    await here.signIn();
    const token = provider.tokens.at(-1) ?? "";
    const [, row] = await sessionsOf(person.sub);
    expect(row?.id_token).toBeTruthy();
    expect(Buffer.from(row?.id_token ?? "", "base64url").toString("latin1") + row?.id_token).not.toContain(
      token.slice(0, 30),
    );
    const cookie = here.cookies.get(SESSION) ?? "";

    const { url } = (await here.request("POST", "/api/auth/sign-out")).json as { url: string };
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).toBe(`${provider.issuer}/end-session`);
    expect(Object.fromEntries(searchParams)).toEqual({
      tenant: "1",
      id_token_hint: token,
      client_id: MaliciousProvider.clientId,
      post_logout_redirect_uri: `${ORIGIN}/sign-in`,
    });
    expect(here.cookies.has(SESSION)).toBe(false);
    here.cookies.set(SESSION, cookie);
    expect((await here.api.get("/api-keys")).status).toBe(401);
    expect((await there.api.get("/api-keys")).status).toBe(200);
    expect((await sessionsOf(person.sub))[1]).toMatchObject({ id_token: null, ended_at: expect.any(Date) });
    expect((await eventsOf(here)).map(({ flags }) => flags)).toEqual([["sign_in"], ["sign_out"]]);
    // Signing out twice causes no second event.
    expect((await here.request("POST", "/api/auth/sign-out")).json).toEqual({ url: "/sign-in" });
    expect(await eventsOf(here)).toHaveLength(2);
  });

  test("cannot be ended by another site", async () => {
    const visitor = someone();
    await visitor.signIn();
    const headers = { origin: "https://evil.test", "sec-fetch-site": "cross-site" };
    expect((await visitor.request("POST", "/api/auth/sign-out", undefined, headers)).status).toBe(403);
    expect((await visitor.api.get("/api-keys")).status).toBe(200);
  });

  test.each<[string, Misbehavior["discovery"], string]>([
    ["has no sign-out", ({ end_session_endpoint: _, ...rest }) => ({ body: rest }), "/sign-in"],
    ["is away", () => ({ status: 500, body: "gone" }), "/sign-in?error=StillSignedIn"],
    [
      "would run a script",
      (known) => ({ body: { ...known, end_session_endpoint: "javascript:x" } }),
      "/sign-in?error=StillSignedIn",
    ],
  ])("ends here if the provider %s", async (_, discovery, end) => {
    const visitor = someone();
    await visitor.signIn();
    const cookie = visitor.cookies.get(SESSION) ?? "";
    provider.misbehavior = discovery ? { discovery } : {};
    expect((await visitor.request("POST", "/api/auth/sign-out")).json).toEqual({ url: end });
    visitor.cookies.set(SESSION, cookie);
    expect((await visitor.api.get("/api-keys")).status).toBe(401);
  });
});

describe("a provider whose response does not come in time", () => {
  test.each(stalls)("%s", async (name, _, __, reason) => {
    const begun = hanging.get(name);
    if (begun === undefined) throw new Error("it has not begun");
    const { visitor, sub, end } = begun;
    await expectRefusal(visitor, await end, "ProviderAway", reason);
    expect(await query(server, "app", "SELECT 1 FROM users WHERE subject = $1", [sub])).toEqual([]);
    // The state of the sign-in is used up: the next one starts over, and succeeds.
    expect([...visitor.cookies.keys()].filter((name) => /state|pkce|nonce/.test(name))).toEqual([]);
    expect(await visitor.signIn()).toBe("/");
  });
});

test("a provider that is down, also during the callback", async () => {
  // Going down ends the connections of these sign-ins too.
  await Promise.all([...hanging.values()].map(({ end }) => end));
  const [before, between] = [someone(), someone()];
  const back = await between.consent(await between.start());
  await provider.down();
  const ends = [await before.start(), await between.arrive(back)] as const;
  await provider.up();
  await expectRefusal(before, ends[0], "ProviderAway", null);
  await expectRefusal(between, ends[1], "ProviderAway", /ECONNREFUSED/);
});

test("no token and no client secret is in the log", () => {
  const { stderr } = server.output();
  expect(provider.tokens.length).toBeGreaterThan(20);
  for (const secret of [...provider.tokens, MaliciousProvider.clientSecret]) expect(stderr).not.toContain(secret);
});
