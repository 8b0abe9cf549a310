import { expect, test } from "vitest";
import { closedValues } from "@/components/audit-logs/filters/completion/closed-values";
import {
  isTyped,
  type Suggestion,
  suggest as suggestAt,
  typedFilter,
} from "@/components/audit-logs/filters/completion/suggest";
import { filterNames } from "@/components/audit-logs/filters/filter-fields";
import { filterQuery } from "@/lib/audit-logs/filters";
import { newSecret } from "@/lib/auth/secret";

const known = {
  api_key_id: [
    { value: "0193a", label: "ci-deploy", secretHint: "sw_Ab…x9Zk" },
    { value: "0193b", label: "prometheus" },
  ],
  country: [{ value: "NL", label: "Netherlands" }],
  route: [{ value: "/api/v1/certificates" }],
};
const clock = { now: Date.parse("2026-11-22T12:30:00Z"), zone: "UTC" };
const suggest = (text: string, values: Parameters<typeof suggestAt>[1]) => suggestAt(text, values, clock);
const values = (found: Suggestion[]) =>
  found.flatMap((each) => (each.kind === "value" ? [`${each.name}=${each.value}`] : []));

test("every filter of the contract has a token", () => {
  const { since: _since, until: _until, ...others } = filterQuery;
  expect([...filterNames].sort()).toEqual(Object.keys(others).sort());
});

test("the API accepts every suggested value", () => {
  for (const name of filterNames) {
    for (const { value } of closedValues(name) ?? []) {
      expect(filterQuery[name].safeParse(value).success, `${name}=${value}`).toBe(true);
    }
  }
});

test("an empty box suggests every filter except text, which needs no name", () => {
  expect(suggest("", known).map((each) => each.kind === "field" && each.name)).toEqual(
    filterNames.filter((name) => name !== "q"),
  );
});

test("a filter name suggests its values, narrowed by the typed text, by name or label", () => {
  expect(values(suggest("api_key_id:", known))).toEqual(["api_key_id=0193a", "api_key_id=0193b"]);
  expect(values(suggest("key:prom", known))).toEqual(["api_key_id=0193b"]);
  expect(values(suggest("country:nether", known))).toEqual(["country=NL"]);
  expect(values(suggest("status:403,50", known))).toEqual(["status=500", "status=503"]);
});

test("an unknown value is suggested if the list is not closed", () => {
  expect(values(suggest("path:/x*", known))).toEqual(["path=/x*"]);
  expect(values(suggest("method:BREW", known))).toEqual([]);
});

test("without a filter name, values of all filters and the text itself are suggested", () => {
  expect(values(suggest("ci-d", known))).toEqual(["api_key_id=0193a"]);
  expect(values(suggest("rotated_sec", known))).toEqual(["flag=rotated_secret"]);
  expect(values(suggest("rotated sec", known))).toEqual(["flag=rotated_secret"]);
  expect(suggest("ci-d", known).at(-1)).toEqual({ kind: "text", text: "ci-d" });
});

test("where no range of time can be chosen, neither times nor entries are suggested", () => {
  const id = "0193a1f4-0001-7a02-8b41-000000000000";
  const kinds = (text: string) => suggestAt(text, known, null).map(({ kind }) => kind);
  expect(kinds("yesterday")).toEqual(["text"]);
  expect(kinds(id)).toEqual(["value", "value", "text"]);
  expect(suggest(id, known).map(({ kind }) => kind)).toContain("entry");
});

test("both ways to exclude a value are understood", () => {
  expect(typedFilter("-status:4")).toEqual({ name: "status", isExcluded: true, typed: "4" });
  expect(typedFilter("status:!4")).toEqual({ name: "status", isExcluded: true, typed: "4" });
  expect(typedFilter("nothing:4")).toBeNull();
});

const ID = "019aa9b6-7d5c-7c3e-8a51-0f6f1c3e2b4d";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

test.each([
  ["status", { kind: "field", name: "status" }],
  [ID, { kind: "entry", id: ID }],
  [`x-request-id: ${ID}`, { kind: "entry", id: ID }],
  ["203.0.113.7", { kind: "value", name: "ip", value: "203.0.113.7" }],
  ["203.0.113.0/24", { kind: "value", name: "ip", value: "203.0.113.0/24" }],
  ["GET /api/v1/api-keys?limit=5", { kind: "value", name: "path", value: "/api/v1/api-keys" }],
  [TRACE, { kind: "value", name: "trace_id", value: TRACE }],
  [`00-${TRACE}-00f067aa0ba902b7-01`, { kind: "value", name: "trace_id", value: TRACE }],
  ["404", { kind: "value", name: "status", value: "404" }],
  ["418", { kind: "value", name: "status", value: "418" }],
  ["5XX", { kind: "value", name: "status", value: "5xx" }],
  ["last 2 hours", { kind: "times", until: null }],
  ["yesterday 14:00–16:00", { kind: "times", since: Date.parse("2026-11-21T14:00:00Z") }],
  ["ci-d", { kind: "value", name: "api_key_id", value: "0193a" }],
  ["sw_Ab...x9Zk", { kind: "value", name: "api_key_id", value: "0193a" }],
  ["just text", { kind: "text", text: "just text" }],
])("the first suggestion for %j", (text, expected) => {
  expect(suggest(text, known)[0]).toMatchObject(expected);
});

test("text stays the last suggestion, and no filter is suggested twice", () => {
  for (const text of ["status", ID, TRACE, "404", "last hour", "/api/v1/x"]) {
    const found = suggest(text, known);
    expect(found.filter(({ kind }) => kind !== "note").at(-1)).toEqual({ kind: "text", text });
    expect(new Set(found.map((each) => JSON.stringify(each))).size).toBe(found.length);
  }
});

test("what may be a secret is suggested as nothing, not even as text", () => {
  for (const secret of [newSecret(), newSecret().slice(0, 30), `Bearer ${newSecret()}`, `q:${newSecret()}`]) {
    expect(suggest(secret, known).map(({ kind }) => kind)).toEqual(["note"]);
  }
});

test("quotes hold a value with spaces together; without them the space ends it", () => {
  expect(values(suggest('path:"/a b"', known))).toEqual(["path=/a b"]);
  expect(suggest("path:/a b", known)).toEqual([]);
});

test("a value that was typed as a whole is not completed", () => {
  const first = (text: string) => suggest(text, known)[0] ?? { kind: "text", text: "" };
  for (const text of ["status:403", "status:401,403", "key:prometheus", "path:/x*", 'path:"/a b"']) {
    expect(isTyped(text, first(text)), text).toBe(true);
  }
  for (const text of ["status:4", "key:prom", "404", "status"]) expect(isTyped(text, first(text)), text).toBe(false);
});

test("a host or a certificate is searched for as text first; its page is the last suggestion, where pages can be opened", () => {
  const sha256 = "ab".repeat(32);
  const last = (text: string) => suggest(text, known).at(-1);
  expect(suggest("shop.example.com", known)[0]).toEqual({ kind: "text", text: "shop.example.com" });
  expect(last("shop.example.com")).toMatchObject({ kind: "page", href: "/certificates?q=shop.example.com" });
  expect(last(sha256)).toMatchObject({ kind: "page", href: `/certificates/inventory?sha256=${sha256}` });
  const page: Suggestion = { kind: "page", href: "/certificates/0193c", words: "Certificate of shop.example.com" };
  const serial = (at: typeof clock | null) =>
    suggestAt("04:3a:9f:12:04:3a:9f:12", known, at, [page]).map(({ kind }) => kind);
  expect(serial(clock)).toEqual(["text", "page"]);
  expect(serial(null)).toEqual(["text"]);
  expect(suggestAt("shop.example.com", known, null).map(({ kind }) => kind)).toEqual(["text"]);
});

test("what the server found comes before the text", () => {
  const older = {
    kind: "value",
    name: "api_key_id",
    value: "0193d",
    isExcluded: false,
    words: "old",
    hint: "",
  } as const;
  expect(suggestAt("old", known, clock, [older])[0]).toEqual(older);
  expect(suggestAt("key:old", known, clock, [older])).toEqual([older]);
});
