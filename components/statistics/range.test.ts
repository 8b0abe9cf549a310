import { expect, test } from "vitest";
import { entriesHref, inWholeDays, readRange } from "@/components/statistics/range";
import { DAY_MS } from "@/lib/time/units";

const now = Date.parse("2026-11-21T12:00:00Z");

test.each([
  ["nothing", {}, { preset: "7d", since: now - 7 * DAY_MS, until: undefined }],
  ["a preset", { range: "90d" }, { preset: "90d", since: now - 90 * DAY_MS, until: undefined }],
  ["a range that is not a preset", { range: "6h" }, { preset: null, since: now - DAY_MS / 4 }],
  ["all time", { range: "all" }, { preset: null, since: 0 }],
  ["an invalid range", { range: "1y" }, { preset: "7d", since: now - 7 * DAY_MS, until: undefined }],
  [
    "custom times",
    { since: "2026-11-01T00:00:00Z", until: "2026-11-02T00:00:00Z", range: "24h" },
    { preset: null, since: Date.parse("2026-11-01T00:00:00Z"), until: Date.parse("2026-11-02T00:00:00Z") },
  ],
  ["an end before the start", { since: "2026-11-02T00:00:00Z", until: "2026-11-01T00:00:00Z" }, { until: undefined }],
  ["an invalid start", { since: "yesterday" }, { preset: "7d" }],
] as const)("a URL with %s", (_, params, range) => {
  expect(readRange(params, now, "7d")).toMatchObject(range);
});

test("presets of several days start at a UTC midnight where figures are counted by day", () => {
  const since = (params: Record<string, string>) => inWholeDays(readRange(params, now, "24h"), now).since;
  expect(since({})).toBe(now - DAY_MS);
  expect(since({ range: "7d" })).toBe(Date.parse("2026-11-15T00:00:00Z"));
  expect(since({ range: "30d" })).toBe(Date.parse("2026-10-23T00:00:00Z"));
  expect(since({ since: "2026-11-01T10:00:00Z" })).toBe(Date.parse("2026-11-01T10:00:00Z"));
});

test("a figure links to the entries that it counts", () => {
  const stats = { since: "2026-11-01T00:00:00.000Z", until: "2026-11-02T00:00:00.000Z" };
  const { pathname, searchParams } = new URL(entriesHref(stats, { flag: "new_country" }), "http://x");
  expect(pathname).toBe("/audit-logs");
  expect(Object.fromEntries(searchParams)).toEqual({ flag: "new_country", ...stats });
});
