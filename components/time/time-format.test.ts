import { expect, test } from "vitest";
import {
  formatAgo,
  formatSetting,
  formatSpan,
  formatTime,
  formatUtc,
  isTimeZone,
  zoneName,
} from "@/components/time/time-format";
import { counted, plural } from "@/lib/text/counts";

const noon = Date.parse("2026-09-21T12:03:04.050Z");
const day = 86_400_000;

test("a time is written in the reader's zone", () => {
  expect(formatTime(noon, "full", "Europe/Berlin", noon)).toBe("21 Sep 2026, 14:03:04.050");
  expect(formatTime(noon, "minute", "America/New_York", noon)).toBe("21 Sep 2026, 08:03");
  expect(formatTime(noon, "day", "Pacific/Auckland", noon)).toBe("22 Sep 2026");
  expect(formatUtc(noon)).toBe("2026-09-21 12:03:04.050 UTC");
});

test("midnight is 00, not 24", () => {
  expect(formatTime(Date.parse("2026-01-01T00:00:00Z"), "minute", "UTC", noon)).toBe("1 Jan 2026, 00:00");
});

test("a clock shows the day only if it is not today, and the year only if it is not this year", () => {
  expect(formatTime(noon, "clock", "UTC", noon + 1000)).toBe("12:03:04.050");
  expect(formatTime(noon, "clock", "UTC", noon + day)).toBe("21 Sep, 12:03:04.050");
  expect(formatTime(noon, "clock", "UTC", noon + 300 * day)).toBe("21 Sep 2026, 12:03:04.050");
});

test.each([
  [0, "0 seconds"],
  [59_400, "59 seconds"],
  [59_999, "1 minute"],
  [90_000, "2 minutes"],
  [3_600_000, "1 hour"],
  [3_599_000, "1 hour"],
  [5_400_000, "1 h 30 min"],
  [3 * 3_600_000 + 12 * 60_000, "3 h 12 min"],
  [10 * 3_600_000 - 1, "10 hours"],
  [23.6 * 3_600_000, "1 day"],
  [47.6 * 3_600_000, "2 days"],
  [47.4 * 3_600_000, "1 day 23 h"],
  [7 * day - 60_000, "7 days"],
  [6.5 * day, "6 days 12 h"],
  [10 * day - 1, "10 days"],
  [45 * day, "45 days"],
  [-5000, "0 seconds"],
])("a duration of %i ms is rounded: %s", (ms, words) => {
  expect(formatSpan(ms)).toBe(words);
});

test.each([
  [1800, "30 minutes"],
  [90, "90 seconds"],
  [5400, "90 minutes"],
  [86_400, "1 day"],
  [3600, "1 hour"],
  [1, "1 second"],
])("a setting of %i seconds is written exactly", (seconds, words) => {
  expect(formatSetting(seconds)).toBe(words);
});

test("relative times", () => {
  expect(formatAgo(noon - 3 * 3_600_000, noon)).toBe("3 hours ago");
  expect(formatAgo(noon + 12 * day, noon)).toBe("in 12 days");
  expect(formatAgo(noon + 7 * day, noon + 5000)).toBe("in 7 days");
  expect(formatAgo(noon - 2000, noon)).toBe("just now");
});

test("time zones", () => {
  expect(zoneName("Europe/Berlin", Date.parse("2026-11-21T00:00:00Z"))).toBe("UTC+1");
  expect(zoneName("UTC", noon)).toBe("UTC");
  expect(isTimeZone("Europe/Berlin")).toBe(true);
  expect(isTimeZone("Mars/Olympus")).toBe(false);
});

test("plural", () => {
  expect(plural(1, "key")).toBe("1 key");
  expect(plural(1204, "entry", "entries")).toBe("1,204 entries");
  expect([0, 1, 2].map((count) => counted(count, "entry", "entries"))).toEqual(["entries", "entry", "entries"]);
});
