import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FoundKey } from "@/lib/auth/find-key";
import { isFromOwnPage, parseCookies, refuseCrossSite, refuseKey } from "@/lib/auth/identify";
import { config } from "@/lib/config";

const NOW = new Date("2026-11-21T12:00:00.000Z");
const before = new Date(NOW.getTime() - 1);
const after = new Date(NOW.getTime() + 1);

function key(known: Partial<FoundKey> = {}): FoundKey {
  return {
    organizationId: "01a1fcff-5cd2-755f-bf9c-f5a4e5e70691",
    plan: "free",
    id: "01a1fcff-6680-7420-917f-1d9e34253279",
    name: "deploy",
    hint: "sw_Ab…x9Zk",
    permission: "admin",
    scope: null,
    ipWhitelist: [],
    expiresAt: null,
    revokedAt: null,
    retiredAt: null,
    ...known,
  };
}

const outcome = (known: Partial<FoundKey>, address: string | null = "192.0.2.7") => {
  const refusal = refuseKey(key(known), address, NOW);
  return refusal === null ? null : [refusal.error.status, refusal.error.code, refusal.flag];
};

const FORBIDDEN = [403, "IP_NOT_ALLOWED", "ip_not_allowed"];
const EXPIRED = [401, "API_KEY_EXPIRED", "expired_key"];
const REVOKED = [401, "API_KEY_REVOKED", "revoked_key"];
const ROTATED = [401, "API_KEY_REVOKED", "rotated_secret"];

describe("a key", () => {
  test.each([
    [{}, null],
    [{ expiresAt: after }, null],
    [{ expiresAt: NOW }, EXPIRED],
    [{ expiresAt: before }, EXPIRED],
    [{ revokedAt: before }, REVOKED],
    [{ revokedAt: after }, REVOKED],
    [{ retiredAt: before }, ROTATED],
    [{ revokedAt: before, retiredAt: before }, REVOKED],
    [{ expiresAt: before, revokedAt: before, retiredAt: before }, EXPIRED],
    [{ ipWhitelist: ["198.51.100.1"] }, FORBIDDEN],
    [{ ipWhitelist: ["198.51.100.1"], expiresAt: before, revokedAt: before, retiredAt: before }, FORBIDDEN],
    [{ ipWhitelist: ["192.0.2.7"], expiresAt: before }, EXPIRED],
  ])("with %j", (known, expected) => {
    expect(outcome(known)).toEqual(expected);
  });

  test.each([
    [["192.0.2.7"], "192.0.2.7", true],
    [["192.0.2.7"], "192.0.2.8", false],
    [["10.0.0.0/8", "192.0.2.0/24"], "192.0.2.7", true],
    [["10.0.0.0/8", "192.0.2.0/24"], "192.0.3.7", false],
    [["2001:db8::/32"], "2001:db8:ffff::1", true],
    [["2001:db8::/32"], "2001:db9::1", false],
    [["192.0.2.7"], "::ffff:192.0.2.7", true],
    [["0.0.0.0/0"], "192.0.2.7", true],
    [["0.0.0.0/0"], "2001:db8::1", false],
    [["::/0"], "192.0.2.7", false],
    [["0.0.0.0/0", "::/0"], null, false],
    [[], null, true],
  ])("for %j, from %s: %s", (ipWhitelist, address, admitted) => {
    expect(outcome({ ipWhitelist }, address)).toEqual(admitted ? null : FORBIDDEN);
  });

  test("that is refused has the header that clients of bearer tokens expect", () => {
    const headers = (known: Partial<FoundKey>) => refuseKey(key(known), null, NOW)?.error.headers;
    const challenge = { "WWW-Authenticate": 'Bearer error="invalid_token"' };
    expect(headers({ expiresAt: before })).toEqual(challenge);
    expect(headers({ revokedAt: before })).toEqual(challenge);
    expect(headers({ retiredAt: before })).toEqual(challenge);
    expect(headers({ ipWhitelist: ["192.0.2.7"] })).toEqual({});
  });
});

describe("a session's write", () => {
  const own = new URL(config().PUBLIC_URL).origin;
  const other = "https://evil.example";

  test.each([
    ["same-origin", own, true],
    ["same-origin", undefined, true],
    ["same-origin", other, false],
    ["same-site", own, false],
    ["cross-site", own, false],
    ["cross-site", undefined, false],
    ["none", undefined, false],
    ["none", own, false],
    ["", own, false],
    [undefined, own, true],
    [undefined, other, false],
    [undefined, "null", false],
    [undefined, `${own}.evil.example`, false],
    [undefined, own.replace(/^http(s?):/, (_, secure) => (secure ? "http:" : "https:")), false],
    [undefined, undefined, false],
  ])("with Sec-Fetch-Site %s and Origin %s: %s", (site, origin, admitted) => {
    const headers = { ...(site !== undefined && { "sec-fetch-site": site }), ...(origin !== undefined && { origin }) };
    const refusal = refuseCrossSite(headers);
    expect(refusal === null).toBe(admitted);
    if (refusal)
      expect([refusal.error.status, refusal.error.code, refusal.flag]).toEqual([
        403,
        "CROSS_SITE_REQUEST",
        "cross_site_request",
      ]);
  });
});

describe("cookies", () => {
  test.each([
    ["", {}],
    ["a=1", { a: "1" }],
    ["a=1; b=2", { a: "1", b: "2" }],
    ["a=1;b=2;", { a: "1", b: "2" }],
    ["a=1; a=2", { a: "1" }],
    [" a = 1 ", { a: "1" }],
    ["a=b=c==", { a: "b=c==" }],
    ["a=", { a: "" }],
    ["=1; a", {}],
    ["a; b=2", { b: "2" }],
    ["__proto__=1", JSON.parse('{"__proto__":"1"}')],
  ])("%j", (header, cookies) => {
    expect([...parseCookies(header)]).toEqual(Object.entries(cookies as object));
  });

  test("are parsed from a joined header", () => {
    const name = fc.stringMatching(/^[\w.-]+$/);
    const value = fc.stringMatching(/^[A-Za-z0-9_.=-]*$/);
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, value), { selector: ([each]) => each }), (pairs) => {
        expect([...parseCookies(pairs.map(([left, right]) => `${left}=${right}`).join("; "))]).toEqual(pairs);
      }),
    );
  });
});

test.each([
  ["same-origin", true],
  ["same-site", false],
  ["cross-site", false],
  ["none", false],
] as const)("a session's request with Sec-Fetch-Site %s is from our pages: %s", (site, expected) => {
  expect(isFromOwnPage({ "sec-fetch-site": site })).toBe(expected);
});

test("without Sec-Fetch-Site, which browsers send only to https and localhost, a session on http is ours", () => {
  expect(isFromOwnPage({})).toBe(new URL(config().PUBLIC_URL).protocol === "http:");
});
