import { expect, test } from "vitest";
import { type Line, withDays } from "@/components/audit-logs/events/day-lines";

const at = (id: string, occurred_at: string) => ({ id, occurred_at });
const words = (lines: Line<{ id: string }>[]) =>
  lines.map((line) => (line.event === null ? line.day : `${line.index} ${line.id}`));

test("a line with the day stands before the first event of each other day", () => {
  const events = [
    at("d", "2026-11-23T00:10:00Z"),
    at("c", "2026-11-22T23:50:00Z"),
    at("b", "2026-11-22T08:00:00Z"),
    at("a", "2026-11-20T08:00:00Z"),
  ];
  expect(words(withDays(events, "UTC"))).toEqual(["0 d", "22 Nov 2026", "1 c", "2 b", "20 Nov 2026", "3 a"]);
  const upwards = words(withDays(events.toReversed(), "UTC"));
  expect(upwards).toEqual(["0 a", "22 Nov 2026", "1 b", "2 c", "23 Nov 2026", "3 d"]);
  expect(withDays([], "UTC")).toEqual([]);
});

test("the days are those of the reader, also where they begin at a quarter of an hour", () => {
  const events = [at("b", "2026-11-22T18:20:00Z"), at("a", "2026-11-22T18:10:00Z")];
  expect(words(withDays(events, "UTC"))).toEqual(["0 b", "1 a"]);
  expect(words(withDays(events, "Asia/Kathmandu"))).toEqual(["0 b", "22 Nov 2026", "1 a"]);
});
