import { expect, test } from "vitest";
import { statsRange } from "@/lib/uptime/monitors/stats-range";

const NOW = Date.parse("2026-11-20T13:30:00Z");
const at = (text: string) => Date.parse(`${text}Z`);
const shown = (since: string, until: string | undefined, interval?: "hour" | "day") => {
  const range = statsRange({ since: at(since), until: until === undefined ? until : at(until), interval }, NOW);
  return [range.interval, new Date(range.from).toISOString(), new Date(range.to).toISOString()];
};

test.each([
  ["a recent day", ["2026-11-18T10:10:00", "2026-11-19T10:10:00"], ["hour", "11-18T10:00", "11-19T11:00"]],
  ["up to now", ["2026-11-20T10:10:00", undefined], ["hour", "11-20T10:00", "11-20T13:30"]],
  ["whole hours", ["2026-11-18T10:00:00", "2026-11-18T12:00:00"], ["hour", "11-18T10:00", "11-18T12:00"]],
  ["more than eight days", ["2026-11-01T10:10:00", "2026-11-19T10:10:00"], ["day", "11-01T00:00", "11-20T00:00"]],
  ["days up to now", ["2026-11-01T10:10:00", "2026-11-20T10:10:00"], ["day", "11-01T00:00", "11-20T13:30"]],
  // Hourly figures exist since 2026-08-12T13:30.
  ["the oldest hours", ["2026-08-12T14:00:00", "2026-08-13T10:10:00"], ["hour", "08-12T14:00", "08-13T11:00"]],
  ["older ones", ["2026-08-12T13:59:00", "2026-08-13T10:10:00"], ["day", "08-12T00:00", "08-14T00:00"]],
] as const)("%s: whole intervals that have figures", (_what, [since, until], [interval, from, to]) => {
  expect(shown(since, until)).toEqual([interval, `2026-${from}:00.000Z`, `2026-${to}:00.000Z`]);
});

test.each<[string, Parameters<typeof shown>, string]>([
  [
    "hours that are no longer kept",
    ["2026-08-12T13:59:00", "2026-08-13T10:10:00", "hour"],
    "for a range that begins more",
  ],
  ["more than 1,000 hours", ["2026-09-20T00:00:00", undefined, "hour"], "interval: is too fine for this range"],
  [
    "more than 1,000 days",
    ["2024-02-20T13:00:00", undefined, undefined],
    "since: must be at most 1000 days before until",
  ],
  [
    "a range that is over before it begins",
    ["2026-11-20T13:30:00", undefined, undefined],
    "since: must be before until",
  ],
])("refuses %s", (_what, range, message) => {
  expect(() => shown(...range)).toThrow(message);
});

test("accepts 1,000 days", () => {
  expect(shown("2024-02-25T00:00:00", undefined)[0]).toBe("day");
});
