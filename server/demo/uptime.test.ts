import { expect, test } from "vitest";
import { isDue } from "@/server/demo/uptime";

test.each([
  ["its time has come", 0, true],
  ["its next check is within the interval", 31 * 60_000, false],
  ["its next check is as far away as in an earlier release", 30 * 86_400_000, true],
])("a monitor is checked or not: %s", (_, waitMs, due) => {
  const now = Date.UTC(2026, 0, 31);
  expect(isDue({ nextCheckAt: new Date(now + waitMs), intervalSeconds: 1800 }, now)).toBe(due);
});
