import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AuditEventDraft, type AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { flags } from "@/lib/audit-logs/flags";
import { kinds, networkOf, networkPrefixes, pathPrefixes, token, tokensOf } from "@/lib/audit-logs/tokens";

/** Bytes that fit any PostgreSQL index with a margin. */
const LARGEST_TOKEN = 1000;

const ipv4 = fc.ipV4();
const text = fc.oneof(
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 600 }),
  fc.constant("é".repeat(500)),
);

describe("tokens of an event", () => {
  test("a bulk request is found by each resource that it changed", () => {
    const row = { resource_type: "monitor", resource_id: "1", details: { resource_ids: ["1", "2"] } };
    expect(tokensOf(new AuditEventDraft(row).row)).toEqual(["t:anonymous", "m:", "S:", "y:monitor", "z:1", "z:2"]);
  });

  test("cover all filters", () => {
    const { row } = new AuditEventDraft({
      id: "01a1fcff-5cd2-755f-bf9c-f5a4e5e70691",
      auth_type: "api_key",
      method: "POST",
      path: "/api/v1/api-keys/7/rotate",
      route: "/api/v1/api-keys/{id}/rotate",
      status_code: 403,
      error_code: "METHOD_NOT_ALLOWED",
      api_key_id: "01a1fcff-6680-7420-917f-1d9e34253279",
      user_id: "01a1fcff-6680-7420-917f-1d9e34253280",
      ip_address: "192.0.2.7",
      country: "NZ",
      flags: ["method_not_allowed", "interrupted"],
      resource_type: "api_key",
      resource_id: "7",
      action: "api_key.rotate",
    });
    expect(tokensOf(row).sort()).toEqual(
      [
        "t:api_key",
        "m:POST",
        "p:/api/v1/api-keys/7/rotate",
        "P:/api/",
        "P:/api/v1/",
        "P:/api/v1/api-keys/",
        "P:/api/v1/api-keys/7/",
        "r:/api/v1/api-keys/{id}/rotate",
        "s:403",
        "S:4",
        "e:METHOD_NOT_ALLOWED",
        "k:01a1fcff-6680-7420-917f-1d9e34253279",
        "u:01a1fcff-6680-7420-917f-1d9e34253280",
        "i:192.0.2.7",
        "n:192.0.0.0/8",
        "n:192.0.0.0/16",
        "n:192.0.2.0/24",
        "c:NZ",
        "f:method_not_allowed",
        "f:interrupted",
        "x:1",
        "y:api_key",
        "z:7",
        "a:api_key.rotate",
      ].sort(),
    );
  });

  test("of an event without details contain only that", () => {
    expect(tokensOf(new AuditEventDraft().row)).toEqual(["t:anonymous", "m:", "S:"]);
  });

  test("an interrupted request alone is not a security event", () => {
    expect(tokensOf(new AuditEventDraft({ flags: ["interrupted"] }).row)).not.toContain("x:1");
    for (const flag of flags.filter((each) => each !== "interrupted")) {
      expect(tokensOf(new AuditEventDraft({ flags: [flag] }).row)).toContain("x:1");
    }
  });

  test("have where the request was made, and separate reads from everything that a log without them must show", () => {
    const via = (known: Partial<AuditRow>) =>
      tokensOf(
        new AuditEventDraft({
          ...{ auth_type: "session", details: { via: "dashboard" }, method: "GET", status_code: 200, ...known },
        }).row,
      ).filter((each) => each.startsWith("v:"));
    const read = ["v:dashboard", "v:dashboard_read"];
    expect(via({})).toEqual(read);
    expect(via({ method: "POST", action: "alert_rule.preview" })).toEqual(read);
    expect(via({ flags: ["interrupted"] })).toEqual(read);
    expect(via({ method: "POST", action: "api_key.create" })).toEqual(["v:dashboard"]);
    expect(via({ status_code: 404 })).toEqual(["v:dashboard"]);
    expect(via({ status_code: null })).toEqual(["v:dashboard"]);
    expect(via({ flags: ["audit_exported"] })).toEqual(["v:dashboard"]);
    expect(via({ details: null })).toEqual([]);
    expect(via({ details: { via: "elsewhere" } })).toEqual([]);
    expect(via({ auth_type: "api_key" })).toEqual([]);
    expect(via({ auth_type: "" })).toEqual(read);
  });

  test("have the trace of the request", () => {
    const trace = (trace_id: unknown) =>
      tokensOf(new AuditEventDraft({ details: { trace_id } }).row).filter((each) => each.startsWith("T:"));
    expect(trace("4bf92f3577b34da6a3ce929d0e0e4736")).toEqual(["T:4bf92f3577b34da6a3ce929d0e0e4736"]);
    expect(trace(7)).toEqual([]);
    expect(trace(undefined)).toEqual([]);
  });

  test("are limited in size and number for any input", () => {
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.oneof(ipv4, fc.constant("2001:db8::1")),
        (path, route, resource_id, ip_address) => {
          const row = new AuditEventDraft({ path: `/${path}`, route, resource_id, ip_address, flags: [...flags] }).row;
          const tokens = tokensOf(row);
          expect(tokens.length).toBeLessThanOrEqual(flags.length + 32);
          for (const each of tokens) expect(Buffer.byteLength(each)).toBeLessThanOrEqual(LARGEST_TOKEN);
        },
      ),
    );
  });

  test("of long values are hashed: equal for equal values, different for others, and never equal to those of short values", () => {
    const long = "/a".repeat(150);
    expect(token("path", long)).toBe(token("path", long));
    expect(token("path", long)).not.toBe(token("path", `${long}b`));
    expect(token("path", long)).not.toBe(token("route", long));
    expect(token("path", long)).toMatch(/^p#[A-Za-z0-9_-]{43}$/);
    expect(token("path", "x".repeat(200))).toBe(`p:${"x".repeat(200)}`);
  });

  test("contain nothing that PostgreSQL's text cannot store", () => {
    expect(token("route", "a\0\ud83d")).toBe("r:a\uFFFD\uFFFD");
    expect(token("route", "\0".repeat(300))).toBe(token("route", "\uFFFD".repeat(300)));
  });

  test("of different kinds never collide", () => {
    expect(new Set(Object.values(kinds)).size).toBe(Object.keys(kinds).length);
  });
});

describe("prefixes of a path", () => {
  test.each([
    ["/", []],
    ["/a", []],
    ["/a/", ["/a/"]],
    ["/a/b/c", ["/a/", "/a/b/"]],
    ["//a", ["//"]],
    ["", []],
    [
      "/1/2/3/4/5/6/7/8/9/10",
      ["/1/", "/1/2/", "/1/2/3/", "/1/2/3/4/", "/1/2/3/4/5/", "/1/2/3/4/5/6/", "/1/2/3/4/5/6/7/", "/1/2/3/4/5/6/7/8/"],
    ],
  ])("%j → %j", (path, prefixes) => {
    expect(pathPrefixes(path)).toEqual(prefixes);
  });

  test("a path that begins with another has all of its prefixes", () => {
    const segments = fc.array(fc.stringMatching(/^[a-z]{0,3}$/), { maxLength: 12 });
    fc.assert(
      fc.property(segments, fc.string(), (parts, tail) => {
        const path = `/${parts.join("/")}`;
        expect(pathPrefixes(path + tail)).toEqual(expect.arrayContaining(pathPrefixes(path)));
      }),
    );
  });
});

describe("networks of an address", () => {
  test.each([
    ["192.0.2.7", 8, "192.0.0.0/8"],
    ["192.0.2.255", 24, "192.0.2.0/24"],
    ["2001:db8:1:2::9", 32, "2001:db8::/32"],
    ["2001:db8:1:2::9", 64, "2001:db8:1:2::/64"],
  ])("%s/%i → %s", (address, prefix, network) => {
    expect(networkOf(address, prefix)).toBe(network);
  });

  test("every address has one token per prefix length", () => {
    for (const [ip_address, kind] of [
      ["203.0.113.9", "ipv4"],
      ["2001:db8::1", "ipv6"],
    ] as const) {
      const networks = tokensOf(new AuditEventDraft({ ip_address }).row).filter((each) => each.startsWith("n:"));
      expect(networks).toHaveLength(networkPrefixes[kind].length);
    }
  });
});
