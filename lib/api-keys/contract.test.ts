import { describe, expect, test } from "vitest";
import { toApiKey } from "@/lib/api-keys/api-key";
import { apiKey, createApiKey, updateApiKey } from "@/lib/api-keys/contract";
import { refusalFlags } from "@/lib/api-keys/usage-contract";
import { refusals } from "@/lib/audit-logs/flags";
import { issuesOf } from "@/lib/http/input";

const create = createApiKey.body;
const FUTURE = new Date(Date.now() + 86_400_000).toISOString();

function faults(sent: unknown, shape: typeof create | typeof updateApiKey.body = create): string[] {
  const parsed = shape.safeParse(sent);
  return parsed.error ? issuesOf(parsed.error).map(({ path, message }) => `${path}: ${message}`) : [];
}

describe("creating a key", () => {
  test("requires only a name; by default the key may read, from anywhere, without expiry", () => {
    expect(create.parse({ name: "deploy" })).toEqual({
      name: "deploy",
      permission: "read",
      scope: null,
      ip_whitelist: [],
      expires_at: null,
    });
  });

  test("normalizes the whitelist and removes duplicates", () => {
    const ip_whitelist = [" 192.0.2.7/32", "192.0.2.7", "::ffff:192.0.2.7", "2001:DB8::/32", "10.0.0.0/8"];
    expect(create.parse({ name: "n", ip_whitelist }).ip_whitelist).toEqual([
      "192.0.2.7",
      "2001:db8::/32",
      "10.0.0.0/8",
    ]);
  });

  test.each([
    [
      { ip_whitelist: ["10.0.0.0/8", "10.0.0.1/8"] },
      "ip_whitelist.1: has bits set after its prefix: use 10.0.0.0/8 instead",
    ],
    [{ ip_whitelist: ["somewhere"] }, "ip_whitelist.0: is neither an IPv4 or IPv6 address nor a CIDR range"],
    [{ ip_whitelist: Array(101).fill("10.0.0.0/8") }, "ip_whitelist: must have at most 100 entries"],
    [{ ip_whitelist: "10.0.0.0/8" }, "ip_whitelist: must be an array"],
    [{ ip_whitelist: [7] }, "ip_whitelist.0: must be a string"],
    [{ expires_at: "9999-12-31T23:59:59-00:01" }, "expires_at: must be in the years 1 to 9999 in UTC"],
    [{ expires_at: "tomorrow" }, "expires_at: must be an RFC 3339 time such as 2027-01-31T00:00:00Z"],
    [{ expires_at: "2027-01-31" }, "expires_at: must be an RFC 3339 time such as 2027-01-31T00:00:00Z"],
    [{ permission: "write" }, "permission: must be one of admin, read"],
    [{ name: "" }, "name: must not be empty"],
    [{ secret: "sw_" }, "secret: is not a known field"],
  ])("with %j is refused", (sent, fault) => {
    expect(faults({ name: "n", ...sent })).toEqual([fault]);
  });

  test("reports all errors together", () => {
    expect(faults({ permission: "x", ip_whitelist: ["x"], expires_at: "x", more: 1 })).toHaveLength(5);
  });

  test("accepts an expiry with any offset", () => {
    expect(create.parse({ name: "n", expires_at: FUTURE }).expires_at).toBe(FUTURE);
    expect(faults({ name: "n", expires_at: "2999-01-01T00:00:00+12:00" })).toEqual([]);
  });
});

describe("updating a key", () => {
  test("keeps omitted fields, and null removes an expiry", () => {
    expect(updateApiKey.body.parse({})).toEqual({});
    expect(updateApiKey.body.parse({ expires_at: null, ip_whitelist: [] })).toEqual({
      expires_at: null,
      ip_whitelist: [],
    });
    expect(faults({ name: null }, updateApiKey.body)).toEqual(["name: must be a string"]);
  });
});

describe("a key in responses", () => {
  const NOW = new Date("2026-11-21T12:00:00.000Z");
  const row = {
    organizationId: "01a1fcff-5cd2-755f-bf9c-f5a4e5e70691",
    id: "01a1fcff-6680-7420-917f-1d9e34253279",
    name: "deploy",
    permission: "read",
    scope: null,
    ipWhitelist: ["192.0.2.7"],
    hint: "sw_Ab…x9Zk",
    version: 1,
    createdAt: new Date("2026-11-01T00:00:00.000Z"),
    createdByType: "system",
    createdById: null,
    createdByName: "Operator",
    expiresAt: null,
    rotatedAt: null,
    revokedAt: null,
    lastUsedAt: null,
    lastUsedIp: null,
    rotatedSecretUsedAt: null,
    nameKey: "deploy",
  };

  test("matches the contract and contains no secret", () => {
    const shown = apiKey.parse(toApiKey(row, NOW));
    expect(shown).toMatchObject({ status: "active", rotation_due_at: "2027-01-30T00:00:00.000Z" });
    expect(shown.risks).toEqual(["no_expiration", "never_used"]);
    expect(Object.keys(shown).filter((name) => /hash|secret|version/.test(name))).toEqual(["rotated_secret_used_at"]);
  });

  test.each([
    [{}, "active"],
    [{ expiresAt: new Date(NOW.getTime() + 1) }, "active"],
    [{ expiresAt: NOW }, "expired"],
    [{ revokedAt: NOW }, "revoked"],
    [{ revokedAt: NOW, expiresAt: NOW }, "revoked"],
  ])("with %j is %s", (known, status) => {
    expect(toApiKey({ ...row, ...known }, NOW).status).toBe(status);
  });

  test("is due for rotation 90 days after its secret was issued", () => {
    expect(toApiKey({ ...row, rotatedAt: NOW }, NOW).rotation_due_at).toBe("2027-02-19T12:00:00.000Z");
  });
});

test("the usage of a key counts every refusal that a known key can cause", () => {
  const withoutKey = ["invalid_credentials", "cross_site_request"];
  expect([...refusalFlags, ...withoutKey].toSorted()).toEqual([...refusals].toSorted());
});
