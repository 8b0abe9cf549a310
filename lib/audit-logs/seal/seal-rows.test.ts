import { expect, test } from "vitest";
import { readTogether } from "@/lib/audit-logs/seal/seal-rows";
import { idAt } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

const START = Date.parse("2026-01-01T00:00:00.000Z");
const row = (...days: number[]) => ({ ids: days.map((day) => idAt(START + day * DAY_MS)) });

test("rows are read together as far as their events occurred within 32 days", () => {
  const rows = [row(0), row(10, 20), row(32), row(33), row(1)];
  expect(readTogether(rows)).toEqual(rows.slice(0, 3));
  expect(readTogether(rows.slice(0, 3))).toEqual(rows.slice(0, 3));
  expect(readTogether([])).toEqual([]);
});

test("an event that arrived late counts with its own time, and one row is always read", () => {
  expect(readTogether([row(40), row(7), row(41)])).toEqual([row(40)]);
  expect(readTogether([row(40), row(8), row(41)])).toEqual([row(40), row(8)]);
  expect(readTogether([row(0, 100), row(100)])).toEqual([row(0, 100)]);
});
