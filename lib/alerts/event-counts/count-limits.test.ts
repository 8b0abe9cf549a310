import { expect, test } from "vitest";
import { busiestWindow } from "@/lib/alerts/event-counts/busiest-window";
import { nextCountedAt, readLimit } from "@/lib/alerts/event-counts/count-limits";
import { MINUTE_MS } from "@/lib/time/units";

const NOW = 100 * 24 * 60 * MINUTE_MS;

test.each([
  ["a complete count ends now", 1, NOW, true, 0],
  ["or before the first event that waits for delivery", 1, NOW - 30_000, true, 0.5],
  ["an incomplete count is repeated from the same time", 1, NOW, false, 1],
  ["however often it fails within minutes", 5, NOW, false, 5],
  ["a longer time is halved", 40, NOW, false, 20],
  ["down to the first event that waits for delivery", 40, NOW - 30 * MINUTE_MS, false, 30],
])("%s", (_, minutes, delivered, isComplete, expected) => {
  const period = { now: NOW, since: NOW - minutes * MINUTE_MS };
  expect((NOW - nextCountedAt(period, delivered, isComplete)) / MINUTE_MS).toBe(expected);
});

test("a condition that always takes too long holds the others back for minutes, not for days", () => {
  let since = NOW - 2 * 24 * 60 * MINUTE_MS;
  for (let evaluation = 1; evaluation <= 100; evaluation++) {
    const now = NOW + evaluation * 15_000;
    since = nextCountedAt({ now, since }, now, false);
    if (evaluation > 20) expect(now - since).toBeLessThanOrEqual(5 * MINUTE_MS);
  }
});

test.each([
  [1, 15_000],
  [1_000, 15_000],
  [10_000, 15_000],
  [10_000, 4 * MINUTE_MS],
])("enough events are read to find a past window with %i after %i ms", (count, sinceMs) => {
  const windowMs = 5 * MINUTE_MS;
  // The busiest window is followed by one with an event less.
  const newer = Array.from({ length: count - 1 }, () => NOW);
  const older = Array.from({ length: count }, () => NOW - windowMs - 1);
  const read = [...newer, ...older].slice(0, readLimit(count, sinceMs));
  expect(busiestWindow(read, windowMs)).toBe(count);
});
