import { expect, test } from "vitest";
import { addressesOf, figuresOf, type OldSecretAttempt } from "@/lib/api-keys/old-secrets/figures";
import { HOUR_MS } from "@/lib/time/units";

const noon = Date.parse("2026-11-22T12:00:00Z");

const attempt = (hoursAgo: number, changes: Partial<OldSecretAttempt> = {}): OldSecretAttempt => ({
  at: noon - hoursAgo * HOUR_MS,
  address: "203.0.113.7",
  country: "NL",
  userAgent: "curl/8",
  method: "GET",
  path: "/api/v1/certificates",
  hint: "sw_A…1",
  standing: "unknown",
  knownSince: null,
  ...changes,
});
const own = { address: "192.0.2.1", country: null, standing: "known", knownSince: noon - 999 * HOUR_MS } as const;

test("unrecognized addresses come first, each with its times and user agents", () => {
  const attempts = [attempt(0, { userAgent: "b" }), attempt(1, own), attempt(2, own), attempt(30, { userAgent: "a" })];
  expect(addressesOf(attempts)).toEqual([
    {
      ip_address: "203.0.113.7",
      country: "NL",
      standing: "unknown",
      known_since: null,
      attempts: 2,
      first_attempt_at: "2026-11-21T06:00:00.000Z",
      last_attempt_at: "2026-11-22T12:00:00.000Z",
      user_agents: ["a", "b"],
    },
    expect.objectContaining({
      ip_address: "192.0.2.1",
      standing: "known",
      known_since: expect.any(String),
      attempts: 2,
    }),
  ]);
});

test("an address that tried several secrets is as well known as for the best known of them", () => {
  const [address] = addressesOf([
    attempt(0, { standing: "recent", hint: "sw_B…2" }),
    attempt(1, { standing: "known", knownSince: noon }),
  ]);
  expect(address).toMatchObject({ standing: "known", known_since: "2026-11-22T12:00:00.000Z" });
});

test("attempts from unrecognized addresses are counted separately; days without attempts are in the series", () => {
  const attempts = [attempt(0), attempt(1, { ...own, userAgent: null }), attempt(40, { path: "/api/v1/alerts" })];
  expect(figuresOf(attempts, noon - 60 * HOUR_MS, noon)).toEqual({
    attempts: 3,
    secrets: [{ hint: "sw_A…1", attempts: 3 }],
    user_agents: [
      { user_agent: "curl/8", attempts: 2, by_strangers: 2 },
      { user_agent: null, attempts: 1, by_strangers: 0 },
    ],
    countries: [
      { country: "NL", attempts: 2, by_strangers: 2 },
      { country: null, attempts: 1, by_strangers: 0 },
    ],
    requests: [
      { method: "GET", path: "/api/v1/certificates", attempts: 2, by_strangers: 1 },
      { method: "GET", path: "/api/v1/alerts", attempts: 1, by_strangers: 1 },
    ],
    series: [
      { start: "2026-11-20T00:00:00.000Z", attempts: 1, by_strangers: 1 },
      { start: "2026-11-21T00:00:00.000Z", attempts: 0, by_strangers: 0 },
      { start: "2026-11-22T00:00:00.000Z", attempts: 2, by_strangers: 1 },
    ],
  });
});
