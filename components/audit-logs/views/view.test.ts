import { expect, test } from "vitest";
import { parseSearch } from "@/components/audit-logs/filters/parse-search";
import { alertRuleHref } from "@/components/audit-logs/views/alert-on-view";
import { matchingEntries } from "@/components/audit-logs/views/matching-entries";
import { chosenColumns, filtersIn, rangeThatShows, readView } from "@/components/audit-logs/views/view";
import { hrefWith } from "@/components/layout/href-with";
import { defaultColumns } from "@/lib/audit-views/columns";

const now = Date.parse("2026-11-21T12:00:00Z");

test("without a range the last 24 hours are shown", () => {
  const view = readView({ status: "4xx" }, now);
  expect(view.range).toBe("24h");
  expect(view.query).toEqual({ status: "4xx", via: "!dashboard_read", since: "2026-11-20T12:00:00.000Z" });
});

test("a range becomes since; all time with all entries sends nothing", () => {
  expect(readView({ range: "1h", reads: "shown" }, now).query).toEqual({ since: "2026-11-21T11:00:00.000Z" });
  expect(readView({ range: "all", reads: "shown" }, now).query).toEqual({});
});

test("reads in the dashboard are left out unless they or another caller are asked for", () => {
  expect(readView({ range: "all" }, now)).toMatchObject({ query: { via: "!dashboard_read" }, hidesReads: true });
  expect(readView({ range: "all", reads: "shown" }, now)).toMatchObject({ query: {}, hidesReads: false });
  expect(readView({ range: "all", via: "dashboard" }, now)).toMatchObject({
    query: { via: "dashboard" },
    hidesReads: false,
  });
  expect(filtersIn({ reads: "shown" })).toEqual([]);
});

test("a rule about a list has its filters, and matches the entries that the list shows", () => {
  const about = (params: Record<string, string>) =>
    new URL(alertRuleHref(params), "http://x").searchParams.get("about");
  expect(about({ status: "4xx", q: "a&b", range: "7d" })).toBe("status=4xx&q=a%26b&via=%21dashboard_read");
  expect(about({ status: "4xx", reads: "shown" })).toBe("status=4xx");
  expect(about({ via: "dashboard" })).toBe("via=dashboard");
  expect(matchingEntries({ status: "4xx", method: undefined }).toString()).toBe("status=4xx&reads=shown");
  expect(matchingEntries({ via: "!dashboard_read" }).toString()).toBe("via=%21dashboard_read");
});

test("given times replace the range", () => {
  const view = readView({ since: "2026-11-01T00:00:00Z", range: "1h" }, now);
  expect(view.range).toBeNull();
  expect(view.query).toEqual({ since: "2026-11-01T00:00:00Z", via: "!dashboard_read" });
});

test("a link from an old event opens a range that includes it", () => {
  expect(rangeThatShows(now - 60_000, now)).toBe("24h");
  expect(rangeThatShows(now - 3 * 86_400_000, now)).toBe("7d");
  expect(rangeThatShows(now - 300 * 86_400_000, now)).toBe("all");
});

test("unknown parameters reach the API, which rejects them by name", () => {
  expect(readView({ range: "all", colour: "red" }, now).query).toMatchObject({ colour: "red" });
});

test("only a list with the newest entries on top can be live", () => {
  expect(readView({ live: "1" }, now).live).toBe(true);
  expect(readView({ live: "1", until: "2026-11-21T00:00:00Z" }, now).live).toBe(false);
  expect(readView({ live: "1", order: "asc" }, now).live).toBe(false);
});

test("a changed view becomes a URL, which is bare without parameters", () => {
  expect(hrefWith("/a", { status: "4xx", range: "7d" }, { method: "GET" })).toBe("/a?status=4xx&range=7d&method=GET");
  expect(hrefWith("/a", { status: "4xx" }, { status: null })).toBe("/a");
});

test("columns have a fixed order and begin with a time", () => {
  expect(chosenColumns({})).toEqual(defaultColumns);
  expect(chosenColumns({ columns: "ms,path,time" })).toEqual(["time", "path", "ms"]);
  expect(chosenColumns({ columns: "path" })).toEqual(["time", "path"]);
  expect(chosenColumns({ columns: "utc,path,nonsense" })).toEqual(["utc", "path"]);
});

test("parameters of the browser are not sent to the API", () => {
  expect(readView({ range: "all", entry: "x", columns: "time", live: "1", reads: "shown" }, now).query).toEqual({});
});

test("filters are separated from the page's own parameters", () => {
  expect(filtersIn({ status: "403", range: "1h", order: "asc", ip: "::1", entry: "e" })).toEqual([
    ["status", "403"],
    ["ip", "::1"],
  ]);
});

test("the box accepts filters by name, text, and names of keys", () => {
  const known = { api_key_id: [{ value: "0193", label: "CI deploy" }] };
  expect(parseSearch(" status:403,404 curl/8  path:/x nothing:here ", known)).toEqual({
    status: "403,404",
    path: "/x",
    q: "curl/8 nothing:here",
  });
  expect(parseSearch('key:"ci deploy" -method:GET status:!404', known)).toEqual({
    api_key_id: "0193",
    method: "!GET",
    status: "!404",
  });
  expect(parseSearch("min_response_time_ms:250", known)).toEqual({ min_response_time_ms: "250" });
});
