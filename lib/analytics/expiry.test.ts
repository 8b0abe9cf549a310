import { describe, expect, test } from "vitest";
import { startsOf } from "@/lib/analytics/expiry";

const days = (interval: "day" | "week" | "month", from: string, to: string) =>
  startsOf(interval, Date.parse(from), Date.parse(to)).map((start) => new Date(start).toISOString().slice(0, 10));

describe("startsOf", () => {
  test("days, including partial first and last days", () => {
    expect(days("day", "2026-12-30T23:59:59Z", "2027-01-01T00:00:00.001Z")).toEqual([
      "2026-12-30",
      "2026-12-31",
      "2027-01-01",
    ]);
  });

  test("weeks start on Monday, across the end of a year", () => {
    expect(days("week", "2027-01-01T12:00:00Z", "2027-01-12T00:00:00Z")).toEqual([
      "2026-12-28",
      "2027-01-04",
      "2027-01-11",
    ]);
    expect(days("week", "2026-12-28T00:00:00Z", "2027-01-04T00:00:00Z")).toEqual(["2026-12-28"]);
    expect(days("week", "2027-01-03T23:00:00Z", "2027-01-03T23:30:00Z")).toEqual(["2026-12-28"]);
  });

  test("months of any length", () => {
    expect(days("month", "2027-01-31T00:00:00Z", "2027-03-02T00:00:00Z")).toEqual([
      "2027-01-01",
      "2027-02-01",
      "2027-03-01",
    ]);
  });
});
