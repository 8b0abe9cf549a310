import { expect, test } from "vitest";
import { bins, rangeOfBars } from "@/components/audit-logs/figures/bins";

function series(length: number) {
  return Array.from({ length }, (_, at) => ({
    start: new Date(at * 60_000).toISOString(),
    requests: 10,
    status_2xx: 7,
    status_3xx: 0,
    status_4xx: 2,
    status_5xx: 1,
    security_events: 1,
  }));
}

test("few points get one bar each", () => {
  expect(bins({ series: series(2), interval: "minute" }, 5)).toEqual([
    expect.objectContaining({ from: 0, to: 60_000, requests: 10, status_4xx: 2, status_5xx: 1 }),
    expect.objectContaining({ from: 60_000, to: 120_000, requests: 10, status_2xx: 7, security_events: 1 }),
  ]);
});

test("many points share bars of whole intervals, and no count is lost", () => {
  const found = bins({ series: series(361), interval: "minute" }, 72);
  expect(found.length).toBeLessThanOrEqual(72);
  expect(found.reduce((sum, bin) => sum + bin.requests, 0)).toBe(3610);
  expect(found[0]).toMatchObject({ from: 0, to: 360_000, requests: 60, status_4xx: 12, security_events: 6 });
  expect(found.at(-1)?.to).toBe(361 * 60_000);
});

test("no points give no bars", () => {
  expect(bins({ series: [], interval: "day" }, 10)).toEqual([]);
});

test("a selection covers whole bars, dragged in either direction", () => {
  const found = bins({ series: series(5), interval: "minute" }, 5);
  const asked = { since: "1970-01-01T00:01:00.000Z", until: "1970-01-01T00:04:00.000Z" };
  expect(rangeOfBars(found, 1, 3)).toEqual(asked);
  expect(rangeOfBars(found, 3, 1)).toEqual(asked);
  expect(rangeOfBars([], 0, 0)).toBeNull();
});
