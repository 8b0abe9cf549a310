import { expect, test } from "vitest";
import { filtersIn, hrefWith, pagesBeside, parseSearch, rangeThatShows, readView } from "@/components/audit-logs/view";

const now = Date.parse("2026-11-21T12:00:00Z");

test("without a range the last day is shown", () => {
  const view = readView({ status: "4xx" }, now);
  expect(view.range).toBe("24h");
  expect(view.query).toEqual({ status: "4xx", since: "2026-11-20T12:00:00.000Z" });
});

test("a range is asked as since; all of it, as nothing", () => {
  expect(readView({ range: "1h" }, now).query).toEqual({ since: "2026-11-21T11:00:00.000Z" });
  expect(readView({ range: "all" }, now).query).toEqual({});
});

test("times that are given stand instead of a range", () => {
  const view = readView({ since: "2026-11-01T00:00:00Z", range: "1h" }, now);
  expect(view.range).toBeNull();
  expect(view.query).toEqual({ since: "2026-11-01T00:00:00Z" });
});

test("a link from an old event opens a range that holds it", () => {
  expect(rangeThatShows(now - 60_000, now)).toBe("24h");
  expect(rangeThatShows(now - 3 * 86_400_000, now)).toBe("7d");
  expect(rangeThatShows(now - 300 * 86_400_000, now)).toBe("all");
});

test("unknown parameters reach the API, which refuses them by name", () => {
  expect(readView({ range: "all", colour: "red" }, now).query).toEqual({ colour: "red" });
});

test("only the newest page can be live", () => {
  expect(readView({ live: "1" }, now).live).toBe(true);
  expect(readView({ live: "1", cursor: "c" }, now).live).toBe(false);
  expect(readView({ live: "1", order: "asc" }, now).live).toBe(false);
});

test("a changed filter begins at the first page again", () => {
  expect(hrefWith("/a", { status: "4xx", cursor: "c", trail: "b" }, { method: "GET" })).toBe(
    "/a?status=4xx&method=GET",
  );
  expect(hrefWith("/a", { status: "4xx" }, { status: null })).toBe("/a");
});

test("pages are walked forward by cursor and back by the trail, within the range as it was", () => {
  const first = readView({ range: "1h" }, now);
  const since = "since=2026-11-21T11%3A00%3A00.000Z";
  expect(pagesBeside("/a", first, "c2")).toEqual({ next: `/a?${since}&cursor=c2`, previous: null });
  const third = readView({ since: "2026-11-21T11:00:00.000Z", cursor: "c3", trail: "c2" }, now);
  expect(pagesBeside("/a", third, "c4")).toEqual({
    next: `/a?${since}&cursor=c4&trail=c2%2Cc3`,
    previous: `/a?${since}&cursor=c2`,
  });
  const second = readView({ since: "2026-11-21T11:00:00.000Z", cursor: "c2" }, now);
  expect(pagesBeside("/a", second, null)).toEqual({ next: null, previous: `/a?${since}` });
});

test("all that is kept stays all on the next page", () => {
  expect(pagesBeside("/a", readView({ range: "all" }, now), "c2").next).toBe("/a?range=all&cursor=c2");
});

test("filters are told apart from the page's own parameters", () => {
  expect(filtersIn({ status: "403", range: "1h", order: "asc", ip: "::1", cursor: "c" })).toEqual([
    ["status", "403"],
    ["ip", "::1"],
  ]);
});

test("the box takes filters by name, text, and what keys are called", () => {
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
