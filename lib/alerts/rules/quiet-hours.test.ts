import { expect, test } from "vitest";
import { quietHours } from "@/lib/alerts/rules/conditions";
import { isQuiet } from "@/lib/alerts/rules/quiet-hours";
import { weekdays } from "@/lib/alerts/rules/weekdays";

const nights = quietHours.parse({ start: "22:00", end: "07:00", time_zone: "Europe/Berlin" });
const at = (time: string) => Date.parse(time);

test("quiet hours follow the local time of their zone, in winter and in summer", () => {
  expect(isQuiet(nights, at("2026-11-20T20:59:59Z"))).toBe(false);
  expect(isQuiet(nights, at("2026-11-20T21:00:00Z"))).toBe(true);
  expect(isQuiet(nights, at("2026-11-21T05:59:59Z"))).toBe(true);
  expect(isQuiet(nights, at("2026-11-21T06:00:00Z"))).toBe(false);
  expect(isQuiet(nights, at("2026-07-20T19:59:59Z"))).toBe(false);
  expect(isQuiet(nights, at("2026-07-20T20:00:00Z"))).toBe(true);
});

test("quiet hours overnight belong to the day they start on", () => {
  const fridays = { ...nights, days: ["fri" as const] };
  expect(isQuiet(fridays, at("2026-11-20T23:00:00Z"))).toBe(true);
  expect(isQuiet(fridays, at("2026-11-21T05:00:00Z"))).toBe(true);
  expect(isQuiet(fridays, at("2026-11-21T21:30:00Z"))).toBe(false);
  expect(isQuiet(fridays, at("2026-11-20T05:00:00Z"))).toBe(false);
});

test("equal times mean the whole day; times within a day end the same day", () => {
  const always = { ...nights, start: "00:00", end: "00:00", days: [...weekdays] };
  const noon = { ...nights, start: "12:00", end: "13:00", time_zone: "UTC" };
  expect(isQuiet(always, at("2026-11-20T12:34:00Z"))).toBe(true);
  expect(isQuiet(noon, at("2026-11-20T12:59:59Z"))).toBe(true);
  expect(isQuiet(noon, at("2026-11-20T13:00:00Z"))).toBe(false);
  expect(isQuiet(noon, at("2026-11-20T11:59:59Z"))).toBe(false);
});
