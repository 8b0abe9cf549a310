import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Api, anonymous } from "@/e2e/support/api";
import type { Answer } from "@/e2e/support/http";
import { newOrganization } from "@/e2e/support/organization";
import { eventById, eventsOf, whenDelivered } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession } from "@/e2e/support/session";
import { isLong } from "@/e2e/support/tier";
import { dailyTest } from "@/e2e/support/tier-tests";
import { newSecret } from "@/lib/auth/secret";
import { MINUTE_MS } from "@/lib/time/units";

const server = sharedServer();

/** Several requests at the same time. One after the other they could take longer than the minute in which they count together. */
const atOnce = (api: Api, path: string, times: number) =>
  Promise.all(Array.from({ length: times }, () => api.get(path)));

/** What remains after each of the answers, in ascending order. */
const remainingOf = (answers: readonly Answer[]) =>
  answers.map((answer) => Number(answer.header("x-ratelimit-remaining"))).sort((a, b) => a - b);

// Only the long tier waits a real minute; lib/rate-limits and limit-stores.test.ts test the time after it with shorter windows.
describe.concurrent("limits", () => {
  const says = isLong ? "says when; waiting that long suffices" : "says when";
  test(`31 quick requests are 30 and a refusal that ${says}`, async () => {
    const { id, read, readKey } = await newOrganization(server);
    const startedAt = Date.now();
    const admitted = await atOnce(read, "/audit-logs", 30);
    const refused = await read.get("/audit-logs");
    const refusedAt = performance.now();
    const answers = [...admitted, refused];
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
    expect(remainingOf(admitted)).toEqual(Array.from({ length: 30 }, (_, n) => n));
    expect(refused.header("x-ratelimit-remaining")).toBe("0");
    expect(new Set(answers.map((answer) => answer.header("x-ratelimit-limit")))).toEqual(new Set(["30"]));

    const retryAfter = refused.error.retry_after ?? 0;
    expect(refused.error.code).toBe("RATE_LIMITED");
    expect(refused.header("retry-after")).toBe(String(retryAfter));
    const reset = Number(refused.header("x-ratelimit-reset")) * 1000;
    expect(reset).toBeGreaterThanOrEqual(startedAt + MINUTE_MS);
    expect(reset).toBeLessThanOrEqual(Date.now() + MINUTE_MS + 1000);
    expect(await eventById(server, refused.requestId)).toMatchObject({
      organization_id: id,
      api_key_id: readKey.id,
      flags: ["rate_limited"],
      rate_limit_remaining: 0,
      status_code: 429,
    });

    // Refused requests do not count: a flood must not delay the reset.
    const flood = await atOnce(read, "/audit-logs", 50);
    expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([429]));
    if (!isLong) return;
    await delay(refusedAt + retryAfter * 1000 - performance.now());
    expect((await read.get("/audit-logs")).status).toBe(200);
  });

  dailyTest("a burst is admitted exactly up to the limit", async () => {
    const { read } = await newOrganization(server);
    const answers = await atOnce(read, "/audit-logs", 60);
    const admitted = answers.filter(({ status }) => status === 200);
    expect(remainingOf(admitted)).toEqual(Array.from({ length: 30 }, (_, n) => n));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  dailyTest("groups are counted separately, and so are keys", async () => {
    const { read, newKey } = await newOrganization(server);
    await atOnce(read, "/audit-logs", 30);
    expect((await read.get("/audit-logs/security-events")).status).toBe(429);
    const other = await read.get("/api-keys");
    expect([other.status, other.header("x-ratelimit-limit"), other.header("x-ratelimit-remaining")]).toEqual([
      200,
      "60",
      "59",
    ]);
    expect((await (await newKey()).api.get("/audit-logs")).status).toBe(200);
  });

  dailyTest("every request of an admitted key counts, whatever its status", async () => {
    const { admin } = await newOrganization(server);
    const left: string[] = [];
    for (const [method, path, body] of [
      ["GET", "/api-keys", undefined],
      ["GET", "/api-keys?unheard=1", undefined],
      ["POST", "/api-keys", "{"],
      ["PATCH", "/api-keys", undefined],
      ["GET", "/api-keys/1", undefined],
    ] as const) {
      left.push((await admin.request(method, path, body)).header("x-ratelimit-remaining"));
    }
    expect(left).toEqual(["59", "58", "57", "56", "55"]);
  });

  dailyTest("requests with a refused key do not count against its limit", async () => {
    const { newKey } = await newOrganization(server);
    const { api } = await newKey({ ip: ["192.0.2.1"] });
    expect(remainingOf(await atOnce(api, "/audit-logs", 3))).toEqual([30, 30, 30]);
  });

  dailyTest("without a key the address counts", async () => {
    const api = anonymous(server);
    const answers = [...(await atOnce(api, "/openapi.json", 30)), await api.get("/openapi.json")];
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
    expect((await api.get("/api-keys")).status).toBe(401);
    expect((await anonymous(server).get("/openapi.json")).status).toBe(200);
  });

  dailyTest("guessing keys is limited by address, and each attempt is flagged", async () => {
    const api = anonymous(server);
    const guess = () => api.get("/audit-logs", { headers: { authorization: `Bearer ${newSecret()}` } });
    const guesses = await Promise.all(Array.from({ length: 30 }, guess));
    expect(guesses.map(({ status }) => status)).toEqual(guesses.map(() => 401));
    const limited = await guess();
    expect(limited.status).toBe(429);
    const event = await eventById(server, limited.requestId);
    expect(event.flags).toEqual(["invalid_credentials", "rate_limited"]);
  });

  dailyTest("unknown routes have their own group", async () => {
    const { read } = await newOrganization(server);
    await atOnce(read, "/nowhere", 30);
    expect((await read.get("/elsewhere")).status).toBe(429);
    expect((await read.get("/audit-logs")).status).toBe(200);
  });

  dailyTest("sessions are exempt, and see the full limit", async () => {
    const { api } = await newSession(server);
    const answers = await atOnce(api, "/audit-logs", 35);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(remainingOf(answers))).toEqual(new Set([30]));
  });

  dailyTest("every refusal is in the log, once", async () => {
    const { id, read } = await newOrganization(server);
    const answers = await atOnce(read, "/audit-logs", 40);
    await whenDelivered(server, id);
    const events = (await eventsOf(server, id)).filter(({ action }) => action === "audit_log.list");
    expect(events.map((event) => event.id).sort()).toEqual(answers.map(({ requestId }) => requestId).sort());
  });
});
