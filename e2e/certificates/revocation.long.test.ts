import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Api } from "@/e2e/support/api";
import type { Answer } from "@/e2e/support/http";
import { newMember } from "@/e2e/support/member";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { hasRedis, type RedisServer, startRedis } from "@/e2e/support/servers/redis";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";

const CLIENTS = 24;

interface Asked {
  sentAt: number;
  answeredAt: number;
  answer: Answer;
}

/** Clients that ask without a pause, on connections that are spread over all processes, until `stop`. */
function rush(ask: () => Promise<Answer>) {
  const asked: Asked[] = [];
  let going = true;
  const work = Array.from({ length: CLIENTS }, async () => {
    while (going) {
      const sentAt = performance.now();
      const answer = await ask();
      asked.push({ sentAt, answeredAt: performance.now(), answer });
    }
  });
  const count = (since: number) => asked.filter(({ sentAt }) => sentAt > since).length;
  return {
    /** Waits until each client has been answered several times to what it sent since. */
    several: (since: number) => until("every client asked again", () => count(since) >= 4 * CLIENTS),
    async stop(): Promise<Asked[]> {
      going = false;
      await Promise.all(work);
      return asked;
    },
  };
}

/** What came of requests answered before a change was asked for, and of those sent after its answer was there. */
async function around<Result>(ask: () => Promise<Answer>, change: () => Promise<Result>) {
  const clients = rush(ask);
  try {
    await clients.several(Number.NEGATIVE_INFINITY);
    const askedAt = performance.now();
    const result = await change();
    const changedAt = performance.now();
    await clients.several(changedAt);
    const asked = await clients.stop();
    const outcomes = (some: Asked[]) =>
      [...new Set(some.map(({ answer }) => (answer.status < 300 ? "admitted" : answer.error.code)))].sort();
    return {
      result,
      before: outcomes(asked.filter(({ answeredAt }) => answeredAt < askedAt)),
      after: outcomes(asked.filter(({ sentAt }) => sentAt > changedAt)),
    };
  } finally {
    await clients.stop();
  }
}

describe.skipIf(!hasRedis)("on three processes under load, from the moment of the answer on", () => {
  let redis: RedisServer;
  let server: Sealwatch;
  let organization: Organization;
  beforeAll(async () => {
    redis = await startRedis();
    server = await startSealwatch({ REDIS_URL: redis.url, WEB_CONCURRENCY: "3" });
    organization = await newOrganization(server);
    // Somebody who stays its admin: it must keep one.
    await newMember(server, organization.id, "admin");
  });
  afterAll(async () => {
    await server?.destroy();
    await redis?.destroy();
  });

  test("a rotated secret is refused and the new one works, in every round", async () => {
    const key = await organization.newKey();
    let secret = key.api;
    for (let round = 0; round < 4; round++) {
      const { result, before, after } = await around(
        () => secret.get("/api-keys"),
        async () => (await organization.admin.post<{ secret: string }>(`/api-keys/${key.id}/rotate`)).data,
      );
      // From the second round on hardly anything is left of its limit; a slow round lets some in again.
      if (round === 0) expect(before).toContain("admitted");
      expect(["admitted", "RATE_LIMITED"]).toEqual(expect.arrayContaining(before));
      // Refused attempts have a limit of the key, which the first round may use up.
      expect(["API_KEY_REVOKED", "RATE_LIMITED"]).toEqual(expect.arrayContaining(after));
      if (round === 0) expect(after).toContain("API_KEY_REVOKED");
      const fresh: Api = secret.with({ authorization: `Bearer ${result.secret}` });
      const answers = await Promise.all(Array.from({ length: CLIENTS }, () => fresh.get("/audit-logs")));
      expect(answers.map(({ status }) => status)).not.toContain(401);
      secret = fresh;
    }
  });

  test("a revoked key is refused", async () => {
    const key = await organization.newKey();
    const { before, after } = await around(
      () => key.api.get("/certificates"),
      async () => (await organization.admin.delete(`/api-keys/${key.id}`)).data,
    );
    expect(before).toContain("admitted");
    expect(after).toContain("API_KEY_REVOKED");
    expect(["API_KEY_REVOKED", "RATE_LIMITED"]).toEqual(expect.arrayContaining(after));
  });

  test("a member whose permission becomes read can no longer write", async () => {
    const member = await newMember(server, organization.id, "admin");
    const key = await organization.newKey();
    const theirs = member.in(organization.id);
    const { before, after } = await around(
      () => theirs.put(`/api-keys/${key.id}`, { name: "Renamed" }),
      () => member.permit("read"),
    );
    expect(before).toContain("admitted");
    expect(after).toEqual(["METHOD_NOT_ALLOWED"]);
  });

  test("a removed member can no longer see the organization", async () => {
    const member = await newMember(server, organization.id, "admin");
    const theirs = member.in(organization.id);
    const { before, after } = await around(
      () => theirs.get(`/api-keys/${organization.adminKey.id}`),
      () => member.remove(),
    );
    expect(before).toEqual(["admitted"]);
    // They work in their own organization from here on, which has no such key.
    expect(after).toEqual(["NOT_FOUND"]);
  });
});
