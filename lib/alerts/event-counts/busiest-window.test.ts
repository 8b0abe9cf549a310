import { expect, test } from "vitest";
import { busiestWindow } from "@/lib/alerts/event-counts/busiest-window";

test.each([
  [[], 0],
  [[100], 1],
  [[100, 100, 100], 3],
  // Both ends of a window belong to it.
  [[110, 100], 2],
  [[111, 100], 1],
  // The busiest window is neither the newest nor the oldest.
  [[500, 209, 208, 205, 200, 100, 95], 4],
  [[60, 50, 40, 30, 20, 10], 2],
])("of the events at %j, at most %i are within 10 ms", (times, expected) => {
  expect(busiestWindow(times, 10)).toBe(expected);
});

test("agrees with counting every window", () => {
  let state = 7;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 1_000;
  };
  const times = Array.from({ length: 300 }, next).sort((a, b) => b - a);
  const counts = times.map((end) => times.filter((time) => time <= end && end - time <= 40).length);
  expect(busiestWindow(times, 40)).toBe(Math.max(...counts));
});
