import { expect, test } from "vitest";
import { bins, rangeOfBars } from "@/components/audit-logs/figures/bins";

function stats(length: number, minutes = 1, since = 0) {
  const series = Array.from({ length }, (_, at) => ({
    start: new Date(at * minutes * 60_000).toISOString(),
    requests: 10,
    status_2xx: 7,
    status_3xx: 0,
    status_4xx: 2,
    status_5xx: 1,
    security_events: 1,
  }));
  const until = new Date(length * minutes * 60_000).toISOString();
  const interval = minutes === 1 ? ("minute" as const) : minutes === 60 ? ("hour" as const) : ("day" as const);
  return { series, interval, since: new Date(since).toISOString(), until };
}

test("few points get one bar each", () => {
  expect(bins(stats(2), 5)).toEqual([
    expect.objectContaining({ from: 0, to: 60_000, requests: 10, status_4xx: 2, status_5xx: 1 }),
    expect.objectContaining({ from: 60_000, to: 120_000, requests: 10, status_2xx: 7, security_events: 1 }),
  ]);
});

test.each([
  ["an hour by minute", 60, 1, 60],
  ["six hours by minute", 360, 1, 90],
  ["four hours by minute", 240, 1, 80],
  ["a day by minute", 1_440, 1, 72],
  ["a week by hour", 168, 60, 84],
  ["thirty days by hour", 720, 60, 90],
  ["ninety days by hour", 2_160, 60, 90],
  ["ninety-nine days by hour", 2_376, 60, 66],
  ["half a year by day", 180, 1_440, 90],
  ["a year by day", 365, 1_440, 73],
])("%s has bars of a round width, and no count is lost", (_, length, minutes, bars) => {
  const found = bins(stats(length, minutes), 90);
  expect(found).toHaveLength(bars);
  expect(found.reduce((sum, bin) => sum + bin.requests, 0)).toBe(length * 10);
  expect(new Set(found.map(({ from, to }) => to - from)).size).toBe(1);
});

test("the first and the last bar end with the range", () => {
  const found = bins({ ...stats(121, 1, 90_500), until: "1970-01-01T02:00:30.000Z" }, 60);
  expect(found[0]).toMatchObject({ from: 90_500, to: 120_000 });
  expect(found.at(-1)).toMatchObject({ from: 7_200_000, to: 7_230_000 });
});

test("no points give no bars", () => {
  expect(bins({ ...stats(0), until: "1970-01-01T00:00:00.000Z" }, 10)).toEqual([]);
});

test("a selection covers whole bars, dragged in either direction", () => {
  const found = bins(stats(5), 5);
  const asked = { since: "1970-01-01T00:01:00.000Z", until: "1970-01-01T00:04:00.000Z" };
  expect(rangeOfBars(found, 1, 3)).toEqual(asked);
  expect(rangeOfBars(found, 3, 1)).toEqual(asked);
  expect(rangeOfBars([], 0, 0)).toBeNull();
});

test.each([
  ["minutes", 120, 25 * 60, 1],
  ["hours", 120, 121 * 24, 60],
  ["days", 122, 1_095, 1_440],
])("a range of any number of %s has 60 to 90 bars", (_, least, most, minutes) => {
  for (let length = least; length <= most; length += Math.ceil((most - least) / 40)) {
    const bars = bins(stats(length, minutes), 90).length;
    expect(bars, `${length}`).toBeGreaterThanOrEqual(60);
    // The first bar may begin before the range.
    expect(bars, `${length}`).toBeLessThanOrEqual(91);
  }
});
