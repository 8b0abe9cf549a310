import { afterAll, describe, expect, test } from "vitest";
import { Api } from "@/e2e/support/api";
import { FORGED } from "@/e2e/support/forged-headers";
import { send } from "@/e2e/support/http";
import { newOrganization } from "@/e2e/support/organization";
import { eventById } from "@/e2e/support/servers/databases";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession } from "@/e2e/support/session";
import { newToken } from "@/lib/tokens";

// With default settings: no proxy is trusted, so a client cannot claim another address.
const server = await startSealwatch();
afterAll(() => server.destroy());

const { newKey } = await newOrganization(server);

describe("without trusted proxies", () => {
  test.each(FORGED)("%s changes nothing", async (name) => {
    const value = name === "forwarded" ? "for=192.0.2.7;proto=https;by=127.0.0.1" : "192.0.2.7";
    const inside = await newKey({ ip: ["192.0.2.7"] });
    const refused = await inside.api.get("/api-keys", { headers: { [name]: value } });
    expect(refused.error.code).toBe("IP_NOT_ALLOWED");
    expect(await eventById(server, refused.requestId)).toMatchObject({ ip_address: "127.0.0.1", country: null });
    const here = await newKey({ ip: ["127.0.0.1"] });
    expect((await here.api.get("/api-keys", { headers: { [name]: value } })).status).toBe(200);
  });

  test("all of them together change nothing", async () => {
    const { api } = await newKey({ ip: ["127.0.0.0/8"] });
    const headers = Object.fromEntries(FORGED.map((name) => [name, "192.0.2.7"]));
    const answer = await api.get("/api-keys", { headers });
    expect((await eventById(server, answer.requestId)).ip_address).toBe("127.0.0.1");
  });
});

test("anonymous requests from one address share one limit, whatever their headers claim", async () => {
  const claim = (n: number) => new Api(server.url, { "x-forwarded-for": `192.0.2.${n}`, "x-real-ip": `192.0.2.${n}` });
  const answers = await Promise.all(Array.from({ length: 31 }, (_, n) => claim(n).get("/openapi.json")));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
});

test("pages without a session share one limit for each address, and people who are signed in have none", async () => {
  const { cookie } = await newSession(server);
  const ask = (headers: Record<string, string>, target = "/sealwatch-verify.mjs") =>
    send(server.url, { method: "GET", target, headers });
  const answers = await Promise.all(
    Array.from({ length: 301 }, (_, n) => ask({ "x-forwarded-for": `192.0.2.${n % 200}` })),
  );
  const limited = answers.filter(({ status }) => status !== 200);
  expect(limited.map(({ status }) => status)).toEqual([429]);
  expect(limited[0]?.error).toMatchObject({ code: "RATE_LIMITED", request_id: expect.any(String) });
  expect(Number(limited[0]?.header("retry-after"))).toBeGreaterThan(0);
  const page = await ask({ accept: "text/html" }, "/sign-in");
  expect(page.text).toMatch(/^Too many requests from your address\. .*300 requests per minute/);
  expect((await ask({ cookie: cookie.replace(/=.*/, "=forged") })).status).toBe(429);
  expect((await ask({ cookie }, "/api-keys")).status).toBe(200);
  expect((await ask({}, "/healthz")).status).toBe(200);
  expect((await ask({}, "/_next/static/none.js")).status).toBe(404);
  expect((await ask({}, "/heartbeat/none")).status).toBe(429);
  expect((await ask({}, `/heartbeat/${newToken()}`)).status).toBe(404);
});

test("without a payment provider billing routes say so, and the operator sets plans", async () => {
  const { api } = await newKey({ permission: "admin" });
  const answers = [
    await api.post("/billing/checkout", { plan: "team" }),
    await api.post("/billing/portal"),
    await api.post("/billing/webhook", {}),
  ];
  for (const { status, error } of answers) expect([status, error.code]).toEqual([503, "UNAVAILABLE"]);
  const { data } = await api.get<{ provider: string | null; plan: string }>("/billing");
  expect(data).toMatchObject({ provider: null, plan: "free" });
});
