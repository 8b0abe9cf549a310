import { expect, test } from "vitest";
import { lastDaysStart, uptimePercent, uptimeWords } from "@/lib/uptime/window";

test.each([
  [1, "2026-03-05T13:00:00Z", "2026-03-05"],
  [30, "2026-03-05T13:00:00Z", "2026-02-04"],
  [30, "2026-03-05T00:00:00.001Z", "2026-02-04"],
  [30, "2026-03-05T00:00:00Z", "2026-02-03"],
  [7, "2026-03-05T23:59:59.999Z", "2026-02-27"],
])("the last %i days until %s start on %s", (days, until, start) => {
  expect(new Date(lastDaysStart(days, Date.parse(until))).toISOString()).toBe(`${start}T00:00:00.000Z`);
});

test("has two digits, cut", () => {
  expect([100, 99.999, 99.57, 95, 0].map(uptimeWords)).toEqual(["100%", "99.99%", "99.57%", "95.00%", "0.00%"]);
});

test("a percentage is rounded down: 100% means no failure", () => {
  expect(uptimePercent(0, 0)).toBeNull();
  expect(uptimePercent(1_000_000, 0)).toBe(100);
  expect(uptimePercent(1_000_000, 1)).toBe(99.999);
  expect(uptimePercent(3, 1)).toBe(66.666);
  expect(uptimePercent(40, 17)).toBe(57.5);
});
