import { expect, test } from "vitest";
import { monthsOf } from "@/components/analytics/expiry-calendar";

const day = (start: string) => ({ start: `${start}T00:00:00.000Z`, certificates: 0, endpoints: 0 });

test("days are grouped by month, and the first is under its weekday", () => {
  const months = monthsOf(["2026-11-28", "2026-11-29", "2026-11-30", "2026-12-01", "2026-12-02"].map(day));
  expect(months.map(({ name, offset, days }) => [name, offset, days.length])).toEqual([
    ["November 2026", 5, 3],
    ["December 2026", 1, 2],
  ]);
});

test("a month that starts on a Monday has no empty cells", () => {
  expect(monthsOf([day("2027-02-01")])[0]?.offset).toBe(0);
});
