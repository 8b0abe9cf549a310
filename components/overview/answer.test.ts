import { expect, test } from "vitest";
import { answerOf, changeParts } from "@/components/overview/answer";
import type { CurrentState } from "@/lib/analytics/current-state";
import type { Leak, Leaks } from "@/lib/api-keys/old-secrets/leaks";
import { DAY_MS } from "@/lib/time/units";

const now = Date.parse("2026-11-22T12:00:00Z");
const leaksOf = (...found: Leak[]): Leaks => ({ found, isComplete: true });
const FINE: CurrentState = {
  ...{ endpoints: 42, monitors: 12, down: 0, expired: 0, expiring: 0, nextExpiry: null },
  ...{ unchecked: 0, unreachable: 0, critical: 0, leaks: leaksOf(), openAlerts: 0 },
};
const leak = { apiKeyId: "0193a1f4-0001-7a02-8b41-000000000001", name: "ci-deploy", strangers: 2 };
const inDays = (days: number) => now + days * DAY_MS;

test.each<[string, Partial<CurrentState>, string]>([
  ["nothing is wrong", {}, "Everything is fine: 42 endpoints, 12 monitors"],
  ["there is one endpoint", { endpoints: 1, monitors: 0 }, "Everything is fine: 1 endpoint"],
  ["there is one monitor", { endpoints: 0, monitors: 1 }, "Everything is fine: 1 monitor"],
  ["some were not checked", { unchecked: 3 }, "Everything is fine: 42 endpoints, 12 monitors (3 not checked yet)"],
  ["nothing was checked", { unchecked: 54 }, "Not checked yet: 42 endpoints, 12 monitors"],
  ["nothing is there", { endpoints: 0, monitors: 0 }, "Nothing is monitored yet"],
  ["a monitor is down", { down: 1 }, "1 monitor down"],
  ["certificates have expired", { expired: 2 }, "2 certificates expired"],
  ["one expires", { expiring: 1, nextExpiry: inDays(6) }, "1 certificate expires in 6 days"],
  [
    "one has expired, one expires",
    { expired: 1, expiring: 1, nextExpiry: inDays(6) },
    "1 certificate expired, 1 expires in 6 days",
  ],
  [
    "several expire",
    { expiring: 3, nextExpiry: inDays(0.5) },
    "3 certificates expire within 14 days, the first in 12 hours",
  ],
  ["endpoints are unreachable", { unreachable: 2 }, "2 endpoints unreachable"],
  ["an endpoint has another problem", { critical: 1 }, "1 endpoint with another critical problem"],
  [
    "a secret has leaked",
    { leaks: leaksOf(leak) },
    "an old secret of ci-deploy is still tried by 2 unrecognized addresses",
  ],
  [
    "secrets have leaked",
    { leaks: leaksOf(leak, { ...leak, strangers: 1 }) },
    "2 old secrets are still tried by 3 unrecognized addresses",
  ],
  ["an alert is open", { openAlerts: 1 }, "1 open alert"],
  [
    "everything is wrong",
    {
      down: 1,
      expired: 1,
      expiring: 1,
      nextExpiry: inDays(6),
      unreachable: 1,
      critical: 1,
      leaks: leaksOf(leak),
      openAlerts: 8,
    },
    "1 monitor down, 1 certificate expired, 1 expires in 6 days, 1 endpoint unreachable, 1 endpoint with another critical problem, an old secret of ci-deploy is still tried by 2 unrecognized addresses, 8 open alerts",
  ],
])("if %s", (_, state, sentence) => {
  const { problems, calm, caveat } = answerOf({ ...FINE, ...state }, now);
  expect(calm?.words ?? problems.map(({ words }) => words).join(", ")).toBe(sentence);
  expect(problems.length === 0).toBe(calm !== null);
  expect(calm?.isGood ?? false).toBe(sentence.startsWith("Everything is fine"));
  expect(caveat).toBeNull();
});

test("each problem is named whatever else is wrong", () => {
  const wrong: Partial<CurrentState>[] = [
    { down: 1 },
    { expired: 1 },
    { expiring: 1, nextExpiry: inDays(1) },
    { unreachable: 1 },
    { critical: 1 },
    { leaks: leaksOf(leak) },
    { openAlerts: 1 },
  ];
  for (let chosen = 0; chosen < 2 ** wrong.length; chosen++) {
    const states = wrong.filter((_, at) => (chosen >> at) % 2 === 1);
    const { problems, calm } = answerOf(Object.assign({ ...FINE }, ...states), now);
    expect(problems).toHaveLength(states.length);
    expect(calm === null).toBe(states.length > 0);
  }
});

test("without the audit log, it says what is not known", () => {
  expect(answerOf({ ...FINE, leaks: null }, now)).toMatchObject({
    calm: { words: expect.any(String), isGood: true },
    caveat: expect.any(String),
  });
});

test("if not all old secrets were examined, it says so beside what is known", () => {
  const { problems, caveat } = answerOf({ ...FINE, leaks: { found: [leak], isComplete: false } }, now);
  expect([problems.length, caveat]).toEqual([1, "Too many old secrets are tried to examine all of them here."]);
});

test("what has changed, without what has not", () => {
  const none = { alerts: 0, expired: 0, endpoints: 0, monitors: 0, members: 0, keys: 0 };
  const words = (changes: Partial<typeof none>) => changeParts({ ...none, ...changes }).map(({ words }) => words);
  expect(words({})).toEqual([]);
  expect(words({ alerts: 3, members: 1 })).toEqual(["3 alerts opened", "1 member joined"]);
  expect(words({ expired: 1, endpoints: 2, monitors: 1, keys: 2 })).toEqual([
    "1 certificate expired",
    "2 endpoints added",
    "1 monitor added",
    "2 API keys created, rotated or revoked",
  ]);
});

test("what expires leads to the endpoints with those who are notified", () => {
  const { problems } = answerOf({ ...FINE, expiring: 2, nextExpiry: inDays(6) }, now);
  expect(problems.map(({ href }) => href)).toEqual(["/certificates?expires_within_days=14&sort=expiry"]);
});
