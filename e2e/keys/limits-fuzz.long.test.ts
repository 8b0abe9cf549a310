import fc from "fast-check";
import { expect, test } from "vitest";
import { anyRequest, type Template } from "@/e2e/faults/fuzz/fuzz-requests";
import { newAddress } from "@/e2e/support/api";
import { type Answer, send } from "@/e2e/support/http";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import { endpoints } from "@/lib/api/endpoints";
import { API_PREFIX } from "@/lib/http/endpoint";
import { type Group, groupLimits } from "@/lib/http/groups";
import { newId } from "@/lib/ids";

const SEED = 20_261_121;
const REQUESTS = 2_500;
const CONCURRENCY = 24;
const WINDOW_MS = 60_000;

const server = sharedServer();

interface Asked {
  sentAt: number;
  answeredAt: number;
  answer: Answer;
}

interface Logged {
  id: string;
  route: string | null;
  action: string | null;
  auth_type: string;
}

/** The group that a request counts in; null for those that are exempt. */
function groupOf({ route, action, auth_type }: Logged): Group | null {
  const onPath = endpoints.filter(({ path }) => API_PREFIX + path === route);
  const endpoint = onPath.find((each) => each.action === action);
  return endpoint?.bulk && auth_type === "api_key" ? null : (onPath[0]?.group ?? "other");
}

test(`every form of a request is limited: ${REQUESTS} of seed ${SEED} are admitted exactly up to their limits`, async () => {
  const { newKey } = await newOrganization(server);
  const [one, two] = await Promise.all([newKey({ permission: "admin" }), newKey()]);
  const callers: Record<string, string>[] = [
    { authorization: `Bearer ${one.secret}` },
    { authorization: `Bearer ${two.secret}` },
    // An anonymous caller with its own address.
    { "x-forwarded-for": newAddress(), cookie: "sealwatch.session=none" },
  ];
  const templates: Template[] = endpoints.map((endpoint) => {
    const params: Record<string, string> = endpoint.path.includes("{") ? { id: newId() } : {};
    return { endpoint, example: { params }, cursor: null };
  });
  const requests = fc.sample(fc.tuple(anyRequest(templates, [{}]), fc.nat(callers.length - 1)), {
    seed: SEED,
    numRuns: REQUESTS,
  });
  const asked = callers.map((): Asked[] => []);
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let next = requests.pop(); next !== undefined; next = requests.pop()) {
        const [sent, caller] = next;
        const { cookie, "x-forwarded-for": forged, ...headers } = sent.headers ?? {};
        const sentAt = performance.now();
        const answer = await send(server.url, { ...sent, headers: { ...headers, ...callers[caller] } });
        asked[caller]?.push({ sentAt, answeredAt: performance.now(), answer });
      }
    }),
  );
  const ids = asked.flat().map(({ answer }) => answer.requestId);
  const events = "SELECT id, route, action, auth_type FROM audit_events WHERE id = ANY($1::uuid[])";
  // Some may arrive through the outbox: this is more than a slow machine stores at once.
  const logged = await until("all requests are on record", async () => {
    const found = await query<Logged>(server, "audit", events, [ids]);
    return found.length >= REQUESTS && found;
  });
  const groups = new Map(logged.map((event) => [event.id, groupOf(event)]));
  expect(groups.size).toBe(REQUESTS);

  let refusals = 0;
  for (const calls of asked) {
    for (const group of Object.keys(groupLimits) as Group[]) {
      const limit = groupLimits[group];
      const own = calls.filter(({ answer }) => groups.get(answer.requestId) === group);
      for (const { answer } of own) expect(answer.header("x-ratelimit-limit")).toBe(String(limit));
      const admitted = own.filter(({ answer }) => answer.status !== 429).sort((a, b) => a.sentAt - b.sentAt);
      // Never more than the limit were admitted in a window, wherever between request and response they were counted.
      for (let first = 0; first + limit < admitted.length; first++) {
        const together = admitted.slice(first, first + limit + 1);
        const last = Math.max(...together.map(({ answeredAt }) => answeredAt));
        expect(last - (admitted[first]?.sentAt ?? 0)).toBeGreaterThanOrEqual(WINDOW_MS);
      }
      // No request was refused while there was room.
      for (const { sentAt, answeredAt, answer } of own.filter(({ answer }) => answer.status === 429)) {
        refusals++;
        const before = admitted.filter((each) => each.answeredAt >= sentAt - WINDOW_MS && each.sentAt <= answeredAt);
        expect(before.length).toBeGreaterThanOrEqual(limit);
        expect(answer.header("x-ratelimit-remaining")).toBe("0");
        expect(Number(answer.header("retry-after"))).toBeGreaterThan(0);
      }
    }
    const exempt = calls.filter(({ answer }) => groups.get(answer.requestId) === null);
    for (const { answer } of exempt) expect(answer.header("x-ratelimit-remaining")).toMatch(/^\d+$/);
  }
  expect(refusals).toBeGreaterThan(0);
});
