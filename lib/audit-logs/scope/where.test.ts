import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Conditions } from "@/lib/audit-logs/conditions";
import { type Filters, filters } from "@/lib/audit-logs/filters";
import { flags } from "@/lib/audit-logs/flags";
import type { Scope } from "@/lib/audit-logs/scope/scope";
import { where } from "@/lib/audit-logs/scope/where";

const scope: Scope = {
  organizationId: "01a1fcff-6680-7420-917f-1d9e34253279",
  classes: [30, 180],
  heldSince: null,
  holds: [],
  oldest: 0,
  days: 180,
};
const ID = "019aa9b6-7d5c-7c3e-8a51-0f6f1c3e2b4d";
const TEXT = "audit_text(path, query, user_agent, error_message)";
const BASE = "(organization_id = $1) AND (retention_days = ANY($2::smallint[]))";

/** The conditions apart from the organization's, with values in place of placeholders. */
function translated(query: Record<string, string>): string {
  const all = where(scope, filters.parse(query));
  const sql = all.toString();
  expect(sql.startsWith(BASE)).toBe(true);
  return sql
    .slice(BASE.length + 5)
    .replace(/\$(\d+)/g, (_, number: string) => JSON.stringify(all.values[Number(number) - 1]));
}

describe("filters in SQL", () => {
  test("without filters: the organization's events in its retention classes", () => {
    const all = where(scope, {});
    expect(all.toString()).toBe(BASE);
    expect(all.values).toEqual([scope.organizationId, scope.classes]);
  });

  test("with one retention class: by equality, so that the primary key returns events in order", () => {
    const all = where({ ...scope, classes: [365] }, {});
    expect(all.toString()).toBe("(organization_id = $1) AND (retention_days = $2::smallint)");
    expect(all.values).toEqual([scope.organizationId, 365]);
  });

  test.each([
    [{ id: ID }, `(id = ANY(["${ID}"]::uuid[]))`],
    [{ id: `!${ID}` }, `(id <> ALL(["${ID}"]::uuid[]))`],
    [{ method: "POST" }, '(tokens && ["m:POST"]::text[])'],
    [{ trace_id: "4bf92f3577b34da6a3ce929d0e0e4736" }, '(tokens && ["T:4bf92f3577b34da6a3ce929d0e0e4736"]::text[])'],
    [
      { via: "!dashboard_read" },
      `(auth_type IN ('api_key', 'anonymous', 'system') OR NOT (tokens && ["v:dashboard_read"]::text[]))`,
    ],
    [{ status: "4xx,500" }, '(tokens && ["S:4","s:500"]::text[])'],
    [{ status: "!4xx" }, '(tokens && ["S:1","S:2","S:3","S:5","S:"]::text[])'],
    [{ status: "!4xx,!404" }, '(NOT (tokens && ["S:4","s:404"]::text[]))'],
    [{ method: "!GET,!HEAD" }, '(tokens && ["m:POST","m:PUT","m:PATCH","m:DELETE","m:OPTIONS","m:"]::text[])'],
    [{ method: "!PROPFIND" }, '(NOT (tokens && ["m:PROPFIND"]::text[]))'],
    [{ auth_type: "!api_key" }, '(tokens && ["t:session","t:anonymous","t:system","t:"]::text[])'],
    [{ status: "4xx,!404" }, '(tokens && ["S:4"]::text[]) AND (NOT (tokens && ["s:404"]::text[]))'],
    [{ path: "/a/b" }, '(tokens && ["p:/a/b"]::text[])'],
    [
      { path: "/a/b*" },
      `((tokens @> ["P:/a/"]::text[] AND coalesce(starts_with(path, "/a/b"), false) AND ${TEXT} ILIKE "%/b%"))`,
    ],
    [{ path: "/a/b/*" }, '(tokens && ["P:/a/b/"]::text[])'],
    [{ path: "/*" }, `((coalesce(starts_with(path, "/"), false) AND ${TEXT} ILIKE "%/%"))`],
    [{ ip: "192.0.2.7" }, '(tokens && ["i:192.0.2.7"]::text[])'],
    [{ ip: "192.0.2.7/32" }, '(tokens && ["i:192.0.2.7"]::text[])'],
    [{ ip: "::ffff:192.0.2.7" }, '(tokens && ["i:192.0.2.7"]::text[])'],
    [{ ip: "10.0.0.0/8" }, '(tokens && ["n:10.0.0.0/8"]::text[])'],
    [
      { ip: "10.128.0.0/9" },
      '((tokens @> ["n:10.0.0.0/8"]::text[] AND coalesce(ip_address <<= "10.128.0.0/9"::inet, false)))',
    ],
    [{ ip: "10.4.0.0/15" }, '(tokens && ["n:10.4.0.0/16","n:10.5.0.0/16"]::text[])'],
    [{ ip: "10.1.2.6/31" }, '(tokens && ["i:10.1.2.6","i:10.1.2.7"]::text[])'],
    [{ ip: "2001:db8:1:fffe::/63" }, '(tokens && ["n:2001:db8:1:fffe::/64","n:2001:db8:1:ffff::/64"]::text[])'],
    [{ ip: "0.0.0.0/0" }, '((coalesce(ip_address <<= "0.0.0.0/0"::inet, false)))'],
    [
      { ip: "10.0.0.0/8,!10.1.2.3" },
      '(tokens && ["n:10.0.0.0/8"]::text[]) AND (NOT (tokens && ["i:10.1.2.3"]::text[]))',
    ],
    [
      { user_agent: "0123456789 Mozilla/5.0 like Gecko" },
      `((coalesce(user_agent = "0123456789 Mozilla/5.0 like Gecko", false) AND ${TEXT} ILIKE "%9 Mozilla/5.0 like Gecko%"))`,
    ],
    [{ security_event: "true" }, '(tokens @> ["x:1"]::text[])'],
    [{ security_event: "false" }, '(NOT tokens @> ["x:1"]::text[])'],
    [{ min_response_time_ms: "4000000" }, '(tokens && ["l:31"]::text[] AND response_time_us >= 4000000000::bigint)'],
    [
      { min_response_time_ms: "1000000.1" },
      '(tokens && ["l:29","l:30","l:31"]::text[] AND response_time_us >= 1000000100::bigint)',
    ],
    [{ q: "50%_\\" }, '(audit_text(path, query, user_agent, error_message) ILIKE "%50\\\\%\\\\_\\\\\\\\%")'],
  ])("%j", (query, sql) => {
    expect(translated(query)).toBe(sql);
  });

  test("text that cannot be stored is replaced in queries as well", () => {
    expect(translated({ route: "a\0b" })).toBe('(tokens && ["r:a\uFFFDb"]::text[])');
    expect(translated({ path: "/a\0*" })).toContain('starts_with(path, "/a\uFFFD")');
  });
});

const word = fc.string({ unit: fc.constantFrom("a", "'", '"', "\\", ";", "-", "%", "$1", "{", "}", "é", "\0", ")") });
const choice = <T>(value: fc.Arbitrary<T>) =>
  fc.record({ include: fc.array(value, { maxLength: 4 }), exclude: fc.array(value, { maxLength: 4 }) });
const ip = fc.oneof(
  fc.ipV4(),
  fc.constantFrom("10.0.0.0/8", "10.128.0.0/9", "10.32.0.0/11", "0.0.0.0/0", "2001:db8::/33", "::/0"),
);
const anyFilters = fc.record(
  {
    id: choice(fc.uuid()),
    method: choice(word),
    path: choice(fc.tuple(word, fc.constantFrom("", "*")).map(([text, star]) => `/${text}${star}`)),
    route: choice(word),
    status: choice(fc.constantFrom("200", "4xx")),
    resource_id: choice(word),
    user_agent: choice(word),
    ip: choice(ip),
    flag: choice(fc.constantFrom(...flags)),
    security_event: fc.boolean(),
    min_response_time_ms: fc.double({ min: 0, max: 86_400_000, noNaN: true }),
    q: word,
  },
  { requiredKeys: [] },
);

describe("the SQL for any filters", () => {
  /** Everything the text may contain besides placeholders. */
  const VOCABULARY =
    /^(?:\$\d+(?:::(?:smallint\[\]|text\[\]|uuid\[\]|inet|bigint))?|id|organization_id|retention_days|response_time_us|tokens|ip_address|path|query|user_agent|error_message|audit_text|coalesce|starts_with|false|ANY|ALL|AND|OR|NOT|ILIKE|>=|<>|<<=|&&|@>|=|[(),]|\s+)*$/;

  test("contains no values, only placeholders, each with a value", () => {
    fc.assert(
      fc.property(anyFilters, (generated) => {
        const all = where(scope, generated as Filters);
        const sql = all.toString();
        expect(sql).toMatch(VOCABULARY);
        const used = new Set([...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
        expect([...used].sort((a, b) => a - b)).toEqual(all.values.map((_, index) => index + 1));
        for (const value of all.values) if (typeof value === "string") expect(value).not.toContain("\0");
      }),
    );
  });

  test("always begins with the organization", () => {
    fc.assert(
      fc.property(anyFilters, (generated) => {
        const all = where(scope, generated as Filters);
        expect(all.toString().startsWith(BASE)).toBe(true);
        expect(all.values[0]).toBe(scope.organizationId);
      }),
    );
  });

  test("includes the caller's additions as separate conditions", () => {
    const all = new Conditions();
    all.add(`a = ${all.value(1)} OR b = ${all.value(2)}`);
    all.add(`c = ${all.value("x")}`);
    expect(all.toString()).toBe("(a = $1 OR b = $2) AND (c = $3)");
    expect(all.values).toEqual([1, 2, "x"]);
  });
});
