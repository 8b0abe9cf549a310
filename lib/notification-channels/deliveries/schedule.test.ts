import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_ATTEMPTS, secondsToRetry } from "@/lib/notification-channels/deliveries/schedule";

const waits = (random: number) => Array.from({ length: MAX_ATTEMPTS }, (_, at) => secondsToRetry(at + 1, null, random));

test("waits get longer, whatever the jitter, until the last attempt", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 7, maxLength: 7 }), (random) => {
      const at = random.map((each, index) => secondsToRetry(index + 1, null, each) ?? 0);
      expect([...at].sort((a, b) => a - b)).toEqual(at);
    }),
  );
  expect(waits(0.5).at(-1)).toBeNull();
  const hours = waits(0.5).reduce<number>((sum, each) => sum + (each ?? 0), 0) / 3_600;
  expect(hours).toBeGreaterThan(8);
  expect(hours).toBeLessThan(10);
});

test("waits longer if the provider requests it, but never less", () => {
  expect(secondsToRetry(1, 60_000, 0.5)).toBe(60);
  expect(secondsToRetry(1, 1_000, 0.5)).toBe(10);
  expect(secondsToRetry(MAX_ATTEMPTS, 60_000, 0.5)).toBeNull();
});
