import { expect, test } from "vitest";
import { flagTones } from "@/components/audit-logs/entry/flag-tones";
import { groupAdvice, groupFilters, groupHref, groupWords, narrowed } from "@/components/security-events/group-words";
import { type Flag, flags, isAlarming, isSecurityEvent } from "@/lib/audit-logs/flags";
import type { SecurityEventGroup } from "@/lib/audit-logs/security/groups-contract";

const key = { type: "api_key", id: "0193a1f4-0001-7a02-8b41-000000000001", name: "ci-deploy" } as const;
const at = (value: string, country: string | null) => ({ value, country, events: 1, standing: null });

function group(flag: Flag, more: Partial<SecurityEventGroup> = {}): SecurityEventGroup {
  return {
    flag,
    source: key,
    events: 1,
    unique_ips: 1,
    by_ip: [at("192.0.2.55", "DE")],
    first_at: "2026-11-20T00:00:00.000Z",
    last_at: "2026-11-21T00:00:00.000Z",
    last_event_id: "0193a1f4-0002-7a02-8b41-000000000001",
    series: [1],
    strangers: null,
    ...more,
  };
}

test.each([
  [
    group("rotated_secret", { events: 736, unique_ips: 4, strangers: 3 }),
    "An old secret of ci-deploy is in use: 736 attempts from 4 addresses, 3 of them unrecognized.",
  ],
  [
    group("revoked_key", { events: 2, strangers: 1 }),
    "The revoked key ci-deploy is in use: 2 attempts from 192.0.2.55, an unrecognized address.",
  ],
  [
    group("rotated_secret", { events: 9, unique_ips: 2, strangers: 2 }),
    "An old secret of ci-deploy is in use: 9 attempts from 2 addresses, all of them unrecognized.",
  ],
  [
    group("revoked_key", { events: 9, unique_ips: 2, strangers: 1 }),
    "The revoked key ci-deploy is in use: 9 attempts from 2 addresses, 1 of them unrecognized.",
  ],
  [
    group("rotated_secret", { strangers: 0 }),
    "A client still uses an old secret of ci-deploy: 1 attempt from 192.0.2.55.",
  ],
  [group("rotated_secret"), "A client still uses an old secret of ci-deploy: 1 attempt from 192.0.2.55."],
  [
    group("rotated_secret", { events: 1043, unique_ips: 4 }),
    "A client still uses an old secret of ci-deploy: 1,043 attempts from 4 addresses.",
  ],
  [
    group("new_country", {
      unique_ips: 3,
      by_ip: [at("203.0.113.1", "SG"), at("203.0.113.2", "BR"), at("203.0.113.3", "BR")],
    }),
    "ci-deploy was used from Singapore and Brazil for the first time.",
  ],
  [
    group("new_address", { unique_ips: 2, by_ip: [at("203.0.113.1", null), at("203.0.113.2", null)] }),
    "ci-deploy was used from 203.0.113.1 and 203.0.113.2 for the first time.",
  ],
])("%#: the sentence says what happened", (given, words) => {
  expect(groupWords(given)).toBe(words);
});

test("every security flag has a sentence", () => {
  for (const flag of flags.filter((flag) => isSecurityEvent([flag]))) expect(groupWords(group(flag))).toMatch(/\.$/);
});

test("a group is found by its flag and its source", () => {
  expect(groupFilters(group("rotated_secret"))).toEqual({ flag: "rotated_secret", api_key_id: key.id });
  const user = { type: "user", id: "0193a1f4-0003-7a02-8b41-000000000001", name: "Ada" } as const;
  expect(groupFilters({ flag: "sign_in", source: user })).toEqual({ flag: "sign_in", user_id: user.id });
  const system = { type: "system", id: null, name: null } as const;
  expect(groupFilters({ flag: "member_added", source: system })).toEqual({ flag: "member_added", auth_type: "system" });
});

test("a redacted caller is not Sealwatch", () => {
  const source = { type: "redacted", id: null, name: null } as const;
  const found = group("rotated_secret", { source, events: 2, unique_ips: 0, by_ip: [] });
  expect(groupWords(found)).toBe(
    "The request used an old secret that a rotation has replaced. The callers of these 2 events were redacted.",
  );
  expect(groupFilters(found)).toEqual({ flag: "rotated_secret", auth_type: "!api_key,!session,!anonymous,!system" });
});

test("the entries of a group are found among what the list does not exclude", () => {
  const list = { flag: "!new_address,rate_limited", auth_type: "!system", q: "curl" };
  expect(narrowed(list, { flag: "rate_limited", ip: "192.0.2.1", auth_type: "anonymous" })).toEqual({
    flag: "rate_limited,!new_address",
    ip: "192.0.2.1",
    auth_type: "anonymous,!system",
    q: "curl",
  });
});

test("what needs attention has the colours of a warning", () => {
  for (const flag of flags) expect(["bad", "warn"].includes(flagTones[flag])).toBe(isAlarming(flag));
});

test("refused requests are alarming, regular actions are not", () => {
  expect(isAlarming("sign_in")).toBe(false);
  expect(isAlarming("rotated_secret")).toBe(true);
  expect(isAlarming("new_country")).toBe(true);
});

test("advice about old secrets depends on who tried them, and the link leads to their page", () => {
  const entriesOf = (filters: Record<string, string>) => `/audit-logs?${new URLSearchParams(filters)}`;
  expect(groupAdvice(group("rotated_secret", { strangers: 0 }))).toBe(
    "These addresses used the key before: deploy the new secret there.",
  );
  expect(groupAdvice(group("rotated_secret", { strangers: 1, unique_ips: 2 }))).toBe(
    "The secret has leaked unless you recognize the addresses: block and report them. The other addresses are your own.",
  );
  expect(groupHref(group("rotated_secret"), entriesOf)).toBe(`/api-keys/${key.id}/old-secrets`);
  expect(groupHref(group("rate_limited"), entriesOf)).toContain("/audit-logs?flag=rate_limited");
});
