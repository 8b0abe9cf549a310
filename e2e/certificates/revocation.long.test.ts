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

/** Clients that send requests without pause until `stop`, on connections spread over all processes. */
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
    /** Waits until each client has received several responses to later requests. */
    several: (since: number) => until("every client asked again", () => count(since) >= 4 * CLIENTS),
    async stop(): Promise<Asked[]> {
      going = false;
      await Promise.all(work);
      return asked;
    },
  };
}

/** The results of all requests, of those answered before the change was sent, and of those sent after its response. */
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
      whole: outcomes(asked),
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
    // Another admin, because an organization must keep one.
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
      const { result, whole, before, after } = await around(
        () => secret.get("/api-keys"),
        async () => (await organization.admin.post<{ secret: string }>(`/api-keys/${key.id}/rotate`)).data,
      );
      // From the second round on its limit is almost used up; a slow round admits some requests again.
      if (round === 0) expect(before).toContain("admitted");
      expect(["admitted", "RATE_LIMITED"]).toEqual(expect.arrayContaining(before));
      // Refused attempts have their own limit per key. A slow response to the rotation lets the clients use it up
      // between the commit and the response.
      expect(["API_KEY_REVOKED", "RATE_LIMITED"]).toEqual(expect.arrayContaining(after));
      if (round === 0) expect(whole).toContain("API_KEY_REVOKED");
      const fresh: Api = secret.with({ authorization: `Bearer ${result.secret}` });
      const answers = await Promise.all(Array.from({ length: CLIENTS }, () => fresh.get("/audit-logs")));
      expect(answers.map(({ status }) => status)).not.toContain(401);
      secret = fresh;
    }
  });

  test("a revoked key is refused", async () => {
    const key = await organization.newKey();
    const { whole, before, after } = await around(
      () => key.api.get("/certificates"),
      async () => (await organization.admin.delete(`/api-keys/${key.id}`)).data,
    );
    expect(before).toContain("admitted");
    expect(whole).toContain("API_KEY_REVOKED");
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
    // From here on they work in their own organization, which does not have this key.
    expect(after).toEqual(["NOT_FOUND"]);
  });
});
