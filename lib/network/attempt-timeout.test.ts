import { expect, test } from "vitest";
import { attemptTimeout } from "@/lib/network/attempt-timeout";

test("an address has time for a repeated packet, and never more than half of the deadline", () => {
  const times = [1_000, 2_000, 5_000, 10_000, 60_000].map((ms) => attemptTimeout(ms).autoSelectFamilyAttemptTimeout);
  expect(times).toEqual([500, 1_000, 1_500, 2_500, 15_000]);
  // Node refuses fractions.
  expect([0, 75, 4_001.5].map((ms) => attemptTimeout(ms).autoSelectFamilyAttemptTimeout)).toEqual([1, 38, 1_500]);
});
