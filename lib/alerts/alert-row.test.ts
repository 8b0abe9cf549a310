import { expect, test } from "vitest";
import { columnsOf, toState } from "@/lib/alerts/alert-row";
import type { AlertState } from "@/lib/alerts/alert-state";

test("a row has everything that the next evaluation needs", () => {
  const state: AlertState = {
    ...{ id: "a", subject: { type: "monitor", id: "m", name: "Shop" }, certificateId: null, causes: ["latency"] },
    ...{ detail: "slow", isReachability: false, step: 1, severity: "critical", openedAt: 1_000, reopenedAt: 2_000 },
    ...{ resolvedAt: 3_000, resolvedBy: "cause", isMuted: false, absentSince: 2_500 },
    ...{ acknowledgedAt: 2_100, acknowledgedBy: "Ada", snoozedUntil: 9_000 },
    ...{ told: { step: 0, severity: "warning", causes: ["latency"], at: 2_000 }, notifiedAt: 2_000 },
    ...{ flips: [1_000, 2_000], isFlapping: true },
  };
  const row = { ...columnsOf(state), id: "a", organizationId: "o", ruleId: "r", ruleName: "Slow" };
  expect(toState(row as unknown as Parameters<typeof toState>[0])).toEqual(state);
  expect(row.live).toBe(true);
});
