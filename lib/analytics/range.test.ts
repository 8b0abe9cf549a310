import { expect, test } from "vitest";
import { rangeOf } from "@/lib/analytics/range";

const NOW = Date.parse("2026-11-20T13:30:00Z");
const shown = (since: string | undefined, until: string | undefined) => {
  const at = (text: string | undefined) => (text === undefined ? text : Date.parse(text));
  const { from, to } = rangeOf({ since: at(since), until: at(until) }, NOW);
  return [new Date(from).toISOString(), new Date(to).toISOString()];
};

test.each([
  ["2026-11-03T10:00:00Z", "2026-11-05T12:00:00Z", "2026-11-03T00:00:00.000Z", "2026-11-06T00:00:00.000Z"],
  ["2026-11-03T10:00:00Z", "2026-11-05T00:00:00Z", "2026-11-03T00:00:00.000Z", "2026-11-05T00:00:00.000Z"],
  ["2026-11-03T10:00:00Z", "2026-11-20T12:00:00Z", "2026-11-03T00:00:00.000Z", "2026-11-20T13:30:00.000Z"],
  [undefined, undefined, "2026-10-22T00:00:00.000Z", "2026-11-20T13:30:00.000Z"],
  ["2023-11-01T00:00:00Z", "2026-11-05T00:00:00Z", "2023-11-01T00:00:00.000Z", "2026-11-05T00:00:00.000Z"],
])("%s to %s: whole days, at most up to now", (since, until, from, to) => {
  expect(shown(since, until)).toEqual([from, to]);
});

test("1,100 days count from the start of the first", () => {
  expect(() => shown("2023-11-01T12:00:00Z", "2026-11-05T12:00:00Z")).toThrow("from the start of its day (UTC)");
});
