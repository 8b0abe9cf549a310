import { describe, expect, test } from "vitest";
import { type Api, newAddress, withKey } from "@/e2e/support/api";
import { clearOfBoundary } from "@/e2e/support/boundaries";
import { type Answer, send } from "@/e2e/support/http";
import { newOrganization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import { HOURLY } from "@/lib/audit-logs/write/refused-body-quota";
import { HOUR_MS } from "@/lib/time/units";

const server = sharedServer();
const MIB = 1024 * 1024;

const from = (api: Api, address: string) => api.with({ "x-forwarded-for": address });
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

describe("a refused key has its own limit", () => {
  test("beyond it the reason is not revealed, and the event has both flags", async () => {
    const { admin, newKey } = await newOrganization(server);
    const { id, secret } = await newKey();
    await admin.delete(`/api-keys/${id}`);
    const attempt = () => from(withKey(server, secret), newAddress()).get("/audit-logs");
    // At the same time, so that they take less than a minute on a slow machine too.
    const refused = await Promise.all(Array.from({ length: 30 }, attempt));
    expect(statuses(refused)).toEqual(refused.map(() => 401));
    const limited = await attempt();
    expect(limited.status).toBe(429);
    expect(limited.error).toMatchObject({ code: "RATE_LIMITED", retry_after: expect.any(Number) });
    expect(limited.text).not.toContain("revoked");
    expect(limited.header("x-ratelimit-remaining")).toBe("0");
    expect(await eventById(server, limited.requestId)).toMatchObject({
      api_key_id: id,
      error_code: "RATE_LIMITED",
      flags: ["revoked_key", "rate_limited"],
      // The key's own limit is another.
      rate_limit_remaining: null,
    });
  });

  test("a thief who uses it up does not affect the key's owner", async () => {
    const { newKey } = await newOrganization(server);
    const owner = newAddress();
    const { api } = await newKey({ ip: [owner] });
    const thief = from(api, newAddress());
    const answers = await Promise.all(Array.from({ length: 40 }, () => thief.get("/audit-logs")));
    expect(statuses(answers).sort()).toEqual([
      ...Array.from({ length: 30 }, () => 403),
      ...Array.from({ length: 10 }, () => 429),
    ]);
    const served = await from(api, owner).get("/audit-logs");
    expect([served.status, served.header("x-ratelimit-remaining")]).toEqual([200, "29"]);
  });

  test("an address that tries many keys has its own limit too", async () => {
    const { newKey } = await newOrganization(server);
    const address = newAddress();
    const keys = await Promise.all(Array.from({ length: 4 }, () => newKey({ ip: ["192.0.2.1"] })));
    const answers = await Promise.all(
      keys.flatMap(({ api }) => Array.from({ length: 25 }, () => from(api, address).get("/audit-logs"))),
    );
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(90);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });
});

describe("the stored bodies of refused requests are limited", () => {
  const times = HOURLY.address / MIB;

  test.each([
    ["a revoked key", 401, "API_KEY_REVOKED"],
    ["a read key", 403, "METHOD_NOT_ALLOWED"],
    ["a made-up key", 401, "INVALID_API_KEY"],
  ])("of %s: complete, and unread beyond the hourly quota", async (who, status, code) => {
    // The quota begins anew with each hour.
    await clearOfBoundary(HOUR_MS, 60_000);
    const { admin, newKey } = await newOrganization(server);
    const key = await newKey();
    if (who === "a revoked key") await admin.delete(`/api-keys/${key.id}`);
    const secret = who === "a made-up key" ? `sw_${"0".repeat(46)}` : key.secret;
    const api = from(withKey(server, secret), newAddress());
    const body = Buffer.alloc(MIB, "x");
    for (let n = 0; n <= times; n++) {
      const answer = await api.post("/uptime", body);
      expect([answer.status, answer.error.code]).toEqual([status, code]);
      const event = await eventById(server, answer.requestId);
      expect(event.body_size).toBe(MIB);
      if (n < times) expect(event.body?.equals(body)).toBe(true);
      else expect([event.body, event.details]).toEqual([null, { body_unread: true }]);
      expect(answer.headers.connection === "close").toBe(n === times);
    }
    const small = await api.post("/uptime", "small");
    expect((await eventById(server, small.requestId)).details).toEqual({ body_unread: true });
    const good = await from(admin, newAddress()).post("/uptime", body);
    expect(good.status).toBe(400);
    expect((await eventById(server, good.requestId)).body?.equals(body)).toBe(true);
  });
});

test("sign-in routes are limited by address, so that nobody can flood the log", async () => {
  const address = newAddress();
  const ask = (method: string, target: string) =>
    send(server.url, { method, target, headers: { "x-forwarded-for": address } });
  const answers: Answer[] = [];
  // Several at once, so that they take less than a minute on a slow machine too.
  for (let n = 0; n < 10; n++) {
    const targets = Array.from({ length: 5 }, () => [
      ask("GET", "/api/auth/callback/oidc"),
      ask("POST", "/api/auth/accept-invitation"),
    ]);
    answers.push(...(await Promise.all(targets.flat())));
  }
  expect(statuses(answers)).not.toContain(429);
  for (const [method, target] of [
    ["GET", "/api/auth/callback/oidc"],
    ["POST", "/api/auth/accept-invitation"],
    ["GET", "/api/auth/csrf"],
  ] as const) {
    const limited = await ask(method, target);
    expect([limited.status, limited.error.code]).toEqual([429, "RATE_LIMITED"]);
    expect(limited.header("retry-after")).toBe(String(limited.error.retry_after));
  }
  const rows = await until("all but the limited requests are on record", async () => {
    const text = "SELECT FROM audit_events WHERE host(ip_address) = $1";
    const found = await query(server, "audit", text, [address]);
    return found.length >= 100 && found;
  });
  expect(rows).toHaveLength(100);
});
