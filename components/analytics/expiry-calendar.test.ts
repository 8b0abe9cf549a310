import { expect, test } from "vitest";
import { expiringHref, monthsOf } from "@/components/analytics/expiry-calendar";

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

test("the certificates of a day or week are those in use that it counts, the first only from now on", () => {
  const since = "2026-11-26T10:30:00.000Z";
  const asked = (start: string, until: string) =>
    Object.fromEntries(new URL(expiringHref(since, start, until), "http://host").searchParams);
  expect(asked("2026-11-23T00:00:00.000Z", "2026-11-30T00:00:00.000Z")).toEqual({
    expires_after: since,
    expires_before: "2026-11-30T00:00:00.000Z",
    unused: "false",
  });
  expect(asked("2026-11-30T00:00:00.000Z", "2026-12-07T00:00:00.000Z")).toMatchObject({
    expires_after: "2026-11-30T00:00:00.000Z",
  });
});
