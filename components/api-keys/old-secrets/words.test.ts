import { expect, test } from "vitest";
import { standingAdvice, suggestedWhitelist, useSentence } from "@/components/api-keys/old-secrets/words";
import type { OldSecretUse } from "@/lib/api-keys/old-secrets/contract";

const NOTHING: OldSecretUse = {
  api_key_id: "0193a1f4-0001-7a02-8b41-000000000001",
  state: "none",
  since: "2026-11-01T00:00:00.000Z",
  until: "2026-11-22T00:00:00.000Z",
  ...{ has_earlier: false, attempts: 0, first_attempt_at: null, last_attempt_at: null, secrets: [] },
  ...{ stranger_count: 0, address_count: 0, addresses: [], user_agents: [], countries: [], requests: [], series: [] },
  handled: null,
};
const handled = { at: NOTHING.until, by: { type: "user" as const, id: null, name: "Ada" }, note: null };

test.each<[Partial<OldSecretUse>, boolean, string]>([
  [{}, false, "No attempt with an old secret of ci was recorded in the last 90 days."],
  [{ has_earlier: true }, false, "No attempt with an old secret of ci was recorded since 1 Nov 2026 (UTC)."],
  [
    { state: "open", attempts: 1, address_count: 1 },
    false,
    "1 address of your own tried an old secret of ci: 1 attempt, every one refused.",
  ],
  [
    { state: "open", attempts: 736, address_count: 5, stranger_count: 3 },
    false,
    "3 unrecognized addresses and 2 addresses of your own tried an old secret of ci: 736 attempts, every one refused.",
  ],
  [
    { state: "open", attempts: 9, address_count: 1, stranger_count: 1, handled },
    true,
    "1 unrecognized address tried the revoked key ci: 9 attempts, every one refused. A new unrecognized address reopened it.",
  ],
  [
    { state: "handled", attempts: 9, address_count: 1, stranger_count: 1, handled },
    false,
    "1 unrecognized address tried an old secret of ci: 9 attempts, every one refused. Handled; a new unrecognized address reopens it.",
  ],
])("%o", (use, isRevoked, sentence) => {
  expect(useSentence({ ...NOTHING, ...use }, "ci", isRevoked)).toBe(sentence);
});

test("the advice to deploy the new secret is only for addresses that used the key before", () => {
  expect(standingAdvice(false, "known")).toContain("deploy the new secret there");
  for (const standing of ["unknown", "recent"] as const) {
    expect(standingAdvice(false, standing)).toMatch(/leaked: block and report the address\.$/);
  }
  expect(standingAdvice(true, "known")).toContain("remove the key there");
});

test("the suggested whitelist has the addresses that succeeded, without unrecognized ones", () => {
  const seen = [
    { ip_address: "192.0.2.1", known_since: NOTHING.since },
    { ip_address: "203.0.113.7", known_since: NOTHING.since },
    { ip_address: "203.0.113.8", known_since: null },
    { ip_address: null, known_since: null },
  ];
  const addresses = [{ ip_address: "203.0.113.7", standing: "recent" }] as OldSecretUse["addresses"];
  expect(suggestedWhitelist(seen, { addresses })).toEqual(["192.0.2.1"]);
});
