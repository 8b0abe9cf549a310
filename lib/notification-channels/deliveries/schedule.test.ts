import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_ATTEMPTS, retryAt } from "@/lib/notification-channels/deliveries/schedule";

const now = new Date("2026-11-21T12:00:00Z");
const waits = (random: number) =>
  Array.from({ length: MAX_ATTEMPTS }, (_, at) => retryAt(at + 1, null, now, random)?.getTime() ?? null);

test("waits get longer, whatever the jitter, until the last attempt", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 7, maxLength: 7 }), (random) => {
      const at = random.map((each, index) => retryAt(index + 1, null, now, each)?.getTime() ?? 0);
      expect([...at].sort((a, b) => a - b)).toEqual(at);
    }),
  );
  expect(waits(0.5).at(-1)).toBeNull();
  const hours =
    waits(0.5).reduce<number>((sum, each) => sum + (each === null ? 0 : each - now.getTime()), 0) / 3_600_000;
  expect(hours).toBeGreaterThan(8);
  expect(hours).toBeLessThan(10);
});

test("waits longer if the provider requests it, but never less", () => {
  expect(retryAt(1, 60_000, now, 0.5)?.getTime()).toBe(now.getTime() + 60_000);
  expect(retryAt(1, 1_000, now, 0.5)?.getTime()).toBe(now.getTime() + 10_000);
  expect(retryAt(MAX_ATTEMPTS, 60_000, now, 0.5)).toBeNull();
});
