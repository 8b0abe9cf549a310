import { describe, expect, test } from "vitest";
import { assertRange, filters } from "@/lib/audit-logs/filters";
import { ApiError } from "@/lib/http/errors";
import { issuesOf } from "@/lib/http/input";
import { writeValue } from "@/lib/text/value-list";

const ID = "01a1fcff-6680-7420-917f-1d9e34253279";

describe("filters", () => {
  test("take any user agent that a request can have", () => {
    for (const agent of ["x", ",", "\\"].map((char) => char.repeat(16_384))) {
      const [included, excluded] = [false, true].map((isExcluded) => writeValue(agent, isExcluded));
      expect(filters.parse({ user_agent: included }).user_agent).toEqual({ include: [agent], exclude: [] });
      expect(filters.parse({ user_agent: excluded }).user_agent).toEqual({ include: [], exclude: [agent] });
    }
    expect(filters.safeParse({ user_agent: "x".repeat(40_000) }).success).toBe(false);
    expect(filters.safeParse({ route: "x".repeat(5_001) }).success).toBe(false);
  });

  test.each([
    [{ method: "POST" }, { method: { include: ["POST"], exclude: [] } }],
    [{ method: "POST, PUT" }, { method: { include: ["POST", "PUT"], exclude: [] } }],
    [{ status: "!2xx,!404" }, { status: { include: [], exclude: ["2xx", "404"] } }],
    [{ status: "4xx,!404" }, { status: { include: ["4xx"], exclude: ["404"] } }],
    [{ path: "/api/v1/*" }, { path: { include: ["/api/v1/*"], exclude: [] } }],
    [{ route: "/api/v1/api-keys/{id}" }, { route: { include: ["/api/v1/api-keys/{id}"], exclude: [] } }],
    [{ api_key_id: ID }, { api_key_id: { include: [ID], exclude: [] } }],
    [{ ip: "192.0.2.7,2001:db8::/32" }, { ip: { include: ["192.0.2.7", "2001:db8::/32"], exclude: [] } }],
    [{ country: "!NZ" }, { country: { include: [], exclude: ["NZ"] } }],
    [{ user_agent: "curl/8,a\\, b" }, { user_agent: { include: ["curl/8", "a, b"], exclude: [] } }],
    [{ flag: "rate_limited" }, { flag: { include: ["rate_limited"], exclude: [] } }],
    [{ action: "api_key.rotate" }, { action: { include: ["api_key.rotate"], exclude: [] } }],
    [{ security_event: "true" }, { security_event: true }],
    [{ security_event: "false" }, { security_event: false }],
    [{ since: "2026-11-21T00:00:00Z" }, { since: Date.UTC(2026, 10, 21) }],
    [{ until: "2026-11-21T02:00:00.5+02:00" }, { until: Date.UTC(2026, 10, 21) + 500 }],
    [{ since: "2026-11-21T00:00:00.123000Z" }, { since: Date.UTC(2026, 10, 21) + 123 }],
    [{ since: "2026-11-21T00:00:00.123456Z" }, { since: Date.UTC(2026, 10, 21) + 124 }],
    [{ until: "2026-11-21T00:00:00.1230001Z" }, { until: Date.UTC(2026, 10, 21) + 124 }],
    [{ min_response_time_ms: "0.5" }, { min_response_time_ms: 0.5 }],
    [{ q: "50% off_" }, { q: "50% off_" }],
    [{}, {}],
  ])("%j is parsed", (query, parsed) => {
    expect(filters.parse(query)).toEqual(parsed);
  });

  test.each([
    [{ method: "post" }, "method", '"post" is not a method in capitals'],
    [{ method: "" }, "method", '"" is not a method in capitals'],
    [{ method: "GET," }, "method", '"" is not a method in capitals'],
    [{ method: "!" }, "method", '"!" is not a method in capitals'],
    [{ method: "!!GET" }, "method", '"!!GET" is not a method in capitals'],
    [{ status: "600" }, "status", '"600" is not a status such as 403 or 4xx'],
    [{ status: "4x" }, "status", '"4x" is not a status such as 403 or 4xx'],
    [{ path: "api" }, "path", '"api" is not a path'],
    [{ path: "/a*b" }, "path", '"/a*b" is not a path'],
    [{ route: "" }, "route", '"" is empty'],
    [{ api_key_id: "7" }, "api_key_id", '"7" is not an id'],
    [{ api_key_id: ID.toUpperCase() }, "api_key_id", "is not an id"],
    [{ ip: "10.0.0.1/8" }, "ip", "use 10.0.0.0/8 instead"],
    [{ ip: "localhost" }, "ip", "is neither an IPv4 or IPv6 address nor a CIDR range"],
    [{ country: "nz" }, "country", "is not a country code"],
    [{ flag: "odd" }, "flag", '"odd" is none of invalid_credentials'],
    [{ auth_type: "key" }, "auth_type", '"key" is none of api_key'],
    [{ security_event: "1" }, "security_event", ""],
    [{ since: "yesterday" }, "since", "must be an RFC 3339 time"],
    [{ since: "2026-02-30T00:00:00Z" }, "since", "must be an RFC 3339 time"],
    [{ since: "2026-11-21T00:00:00" }, "since", "must be an RFC 3339 time"],
    [{ min_response_time_ms: "-1" }, "min_response_time_ms", ""],
    [{ min_response_time_ms: "fast" }, "min_response_time_ms", ""],
    [{ trace_id: "4BF92F3577B34DA6A3CE929D0E0E4736" }, "trace_id", "is not a trace id"],
    [{ q: "" }, "q", ""],
    [{ q: "a\0b" }, "q", "must not contain control characters"],
    [{ q: "x".repeat(201) }, "q", ""],
    [{ colour: "red" }, "colour", "is not a known field"],
    [{ status: Array.from({ length: 51 }, () => "404").join() }, "status", "takes at most 50 values"],
  ])("%j is refused, and the issue names the parameter", (query, path, message) => {
    const parsed = filters.safeParse(query);
    expect(parsed.error && issuesOf(parsed.error)).toEqual([
      { path, message: expect.stringContaining(message) as string },
    ]);
  });

  test("all invalid values are reported", () => {
    const parsed = filters.safeParse({ method: "get,POST,put", flag: "odd" });
    expect(parsed.error && issuesOf(parsed.error).map(({ path }) => path)).toEqual(["method", "method", "flag"]);
  });

  test("a range that ends before it begins is refused", () => {
    const since = Date.UTC(2026, 10, 21);
    expect(() => assertRange({ since, until: since })).toThrow(ApiError);
    expect(() => assertRange({ since, until: since + 1 })).not.toThrow();
    expect(() => assertRange({ since })).not.toThrow();
  });
});
