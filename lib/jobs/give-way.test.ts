import { expect, test } from "vitest";
import { isBusyWithOthers } from "@/lib/jobs/give-way";

const start = { all: 1_000, idle: 100, own: 50 };
/** Two seconds of processor time later, with these shares of it. */
const later = (idle: number, own: number) => ({ all: 3_000, idle: 100 + 2_000 * idle, own: 50 + 2_000 * own });

test.each([
  ["everything is idle", 1, 0, false],
  ["only this process works, on one of two cores", 0.5, 0.5, false],
  ["only this process works, on the only core, with the database for it", 0, 0.7, false],
  ["others work, and there is room", 0.2, 0, false],
  ["others use what this process leaves", 0, 0.45, true],
  ["others use nearly everything, while this process waits", 0.05, 0.05, true],
])("%s", (_, idle, own, expected) => {
  expect(isBusyWithOthers(start, later(idle, own))).toBe(expected);
});

test("the same moment twice says nothing", () => {
  expect(isBusyWithOthers(start, start)).toBe(false);
});
