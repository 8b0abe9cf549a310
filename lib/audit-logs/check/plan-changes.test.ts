import { expect, test } from "vitest";
import { endedPlans, expiredUntil, type PlanChange } from "@/lib/audit-logs/check/plan-changes";
import { idAt } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

const START = Date.parse("2026-01-01T00:00:00.000Z");
const change = (day: number, plan: [unknown, unknown], days?: [unknown, unknown]): PlanChange => ({
  id: idAt(START + day * DAY_MS),
  isEpoch: false,
  details: {
    plan: { from: plan[0], to: plan[1] },
    ...(days && { retention_days: { from: days[0], to: days[1] } }),
  },
});
const ended = (...changes: PlanChange[]) =>
  endedPlans(changes).map(({ until, days }) => [(until - START) / DAY_MS, days]);

test("a plan has ended with each change, with the days that it says or that the plan has", () => {
  expect(
    ended(change(1, ["free", "business"]), change(2, ["business", "team"], [365, 180]), change(3, ["team", "free"])),
  ).toEqual([
    [1, 30],
    [2, 365],
    [3, 180],
  ]);
});

test("a change without whole days on both sides does not count", () => {
  const days: [unknown, unknown][] = [
    [0, 365],
    [30, 0],
    [-1, 365],
    [0.5, 365],
    ["30", 365],
  ];
  for (const each of days) expect(ended(change(1, ["free", "business"], each))).toEqual([]);
  expect(ended(change(1, [undefined, "business"], [30, 365]))).toEqual([]);
  expect(endedPlans([{ id: idAt(START), isEpoch: false, details: null }])).toEqual([]);
});

test("a change excuses no more than the one before it allowed", () => {
  expect(ended(change(1, ["free", "business"]), change(2, ["free", "business"], [1, 365]))).toEqual([
    [1, 30],
    [2, 365],
  ]);
});

test("after the beginning of an epoch, a change is the first one", () => {
  const epoch: PlanChange = { id: idAt(START + 2 * DAY_MS), isEpoch: true, details: {} };
  const [first, again] = [change(1, ["free", "business"]), change(3, ["free", "business"])];
  expect(ended(first, again)).toEqual([
    [1, 30],
    [3, 365],
  ]);
  expect(ended(first, epoch, again)).toEqual([
    [1, 30],
    [3, 30],
  ]);
});

test("an ended plan excuses nothing that a hold of before covers, and everything under a hold of afterwards", () => {
  const plans = endedPlans([change(100, ["free", "business"]), change(200, ["business", "team"])]);
  const until = (...holds: [placed: number, covers: number][]) => {
    const placed = holds.map(([day, since]) => ({
      placedAt: START + day * DAY_MS,
      coversSince: START + since * DAY_MS,
    }));
    return (expiredUntil(plans, placed) - START) / DAY_MS;
  };
  expect(until()).toBe(71);
  expect(until([150, -215])).toBe(71);
  expect(until([90, 60])).toBe(60);
  expect(until([90, 60], [95, 65])).toBe(60);
  expect(until([90, 80])).toBe(71);
  expect(expiredUntil([], [])).toBe(Number.NEGATIVE_INFINITY);
});
