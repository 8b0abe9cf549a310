import { expect, test } from "vitest";
import { isBusyWithOthers } from "@/lib/jobs/give-way";

const start = { all: 1_000, idle: 100, own: 50 };
/** Two seconds of processor time later, with these shares of it. */
const later = (idle: number, own: number) => ({ all: 3_000, idle: 100 + 2_000 * idle, own: 50 + 2_000 * own });

test.each([
  ["everything is idle", 2, 1, 0, false],
  ["only this process works, on one of two processors", 2, 0.5, 0.5, false],
  ["only this process works, on the only processor, with the database for it", 1, 0, 0.7, false],
  ["the database works for this process on the only processor, which is idle for the rest", 1, 0.15, 0.25, false],
  ["others use nearly all of the only processor", 1, 0.05, 0.05, true],
  ["others use less than one of two processors", 2, 0.1, 0.45, false],
  ["others use what this process leaves", 2, 0, 0.45, true],
  ["others use more than one of two processors, and wait for the disk meanwhile", 2, 0.2, 0.1, true],
  ["others use nearly everything, while this process waits", 2, 0.05, 0.05, true],
  ["others leave more than one of sixteen processors", 16, 0.05, 0.05, false],
  ["others leave less than one of sixteen processors", 16, 0.02, 0.03, true],
])("%s", (_, processors, idle, own, expected) => {
  expect(isBusyWithOthers({ processors, ...start }, { processors, ...later(idle, own) })).toBe(expected);
});

test("the same moment twice says nothing", () => {
  expect(isBusyWithOthers({ processors: 2, ...start }, { processors: 2, ...start })).toBe(false);
});
