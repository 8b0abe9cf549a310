import { expect, test } from "vitest";
import { timeLabels } from "@/components/charts/time-labels";
import { HOUR_MS } from "@/lib/time/units";

const from = Date.parse("2026-11-21T10:00:00Z");
const every = (ms: number, count: number, start = from) => Array.from({ length: count }, (_, at) => start + at * ms);
const texts = (starts: number[], zone = "UTC") => timeLabels(starts, zone).map(({ text }) => text);

test("a day is labelled at round hours, and midnight with its day", () => {
  expect(texts(every(HOUR_MS / 3, 72))).toEqual(["12:00", "18:00", "22 Nov", "06:00"]);
});

test("a week is labelled once for each day", () => {
  expect(texts(every(2 * HOUR_MS, 84))).toEqual(["22 Nov", "23 Nov", "24 Nov", "25 Nov", "26 Nov", "27 Nov", "28 Nov"]);
});

test("days and hours are those of the zone", () => {
  const labels = timeLabels(every(HOUR_MS / 2, 48), "Asia/Kolkata");
  expect(labels.map(({ text }) => text)).toEqual(["18:00", "22 Nov", "06:00", "12:00"]);
  expect(labels[1]?.at).toBe(17);
});

test.each([1 / 60, 1 / 12, 1, 12, 24, 120])("bars of %f hours have at most seven labels, and no day twice", (hours) => {
  const found = texts(every(hours * HOUR_MS, 73));
  expect(found.length).toBeGreaterThan(2);
  expect(found.length).toBeLessThanOrEqual(7);
  const days = found.filter((text) => !text.includes(":"));
  expect(new Set(days).size).toBe(days.length);
});
