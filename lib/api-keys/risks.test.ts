import { describe, expect, test } from "vitest";
import type { ApiKey } from "@/lib/api-keys/contract";
import { type Risk, risks, risksOf } from "@/lib/api-keys/risks";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const at = (days: number, ms = 0) => new Date(NOW + days * 86_400_000 + ms).toISOString();

const sound: Omit<ApiKey, "risks"> = {
  id: "01a1fcff-6680-7420-917f-1d9e34253279",
  name: "deploy",
  permission: "read",
  scope: null,
  ip_whitelist: [],
  expires_at: at(60),
  status: "active",
  hint: "sw_Ab…x9Zk",
  created_at: at(-30),
  created_by: { type: "system", id: null, name: "Operator" },
  last_used_at: at(-1),
  last_used_ip: null,
  rotated_at: null,
  rotation_due_at: at(60),
  rotated_secret_used_at: null,
  revoked_at: null,
};

test("a key in good order has no risks", () => {
  expect(risksOf(sound, NOW)).toEqual([]);
});

describe("thresholds are exact to the millisecond:", () => {
  test.each<[Risk, Partial<typeof sound>, Partial<typeof sound>]>([
    ["rotated_secret_used", { rotated_secret_used_at: at(-7, 1) }, { rotated_secret_used_at: at(-7) }],
    ["expires_soon", { expires_at: at(14, -1) }, { expires_at: at(14) }],
    ["rotation_overdue", { rotation_due_at: at(0) }, { rotation_due_at: at(0, 1) }],
    ["no_whitelist", { permission: "admin" }, { permission: "admin", ip_whitelist: ["192.0.2.1"] }],
    ["no_expiration", { expires_at: null }, { expires_at: at(20) }],
    ["idle", { last_used_at: at(-90) }, { last_used_at: at(-90, 1) }],
    ["never_used", { last_used_at: null, created_at: at(-1) }, { last_used_at: null, created_at: at(-1, 1) }],
  ])("%s", (risk, holds, holdsNot) => {
    expect(risksOf({ ...sound, ...holds }, NOW)).toEqual([risk]);
    expect(risksOf({ ...sound, ...holdsNot }, NOW)).toEqual([]);
  });
});

const risky = {
  ...sound,
  permission: "admin" as const,
  expires_at: at(1),
  last_used_at: null,
  rotation_due_at: at(-1),
  rotated_secret_used_at: at(0),
};

test("risks are sorted by urgency", () => {
  const found = risksOf(risky, NOW);
  expect(found).toEqual(risks.filter((risk) => found.includes(risk)));
  expect(found).toHaveLength(5);
});

test.each(["revoked", "expired"] as const)("a key that is %s has no risks", (status) => {
  expect(risksOf({ ...risky, status }, NOW)).toEqual([]);
});
