import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { INTERVAL_MS, nextCheckAt } from "@/lib/certificates/schedule";

const NOW = new Date("2026-11-21T12:00:00Z");
const MINUTE_MS = 60_000;
const healthy = { status: "ok", failures: 0, notBefore: null, notAfter: null };

function minutesUntil(checked: Partial<Parameters<typeof nextCheckAt>[0]>, random = 0.5): number {
  return (nextCheckAt({ ...healthy, ...checked }, NOW, random).getTime() - NOW.getTime()) / MINUTE_MS;
}

describe("nextCheckAt", () => {
  test.each([
    [{ status: "ok" }, 60],
    [{ status: "info" }, 60],
    [{ status: "warning" }, 30],
    [{ status: "critical" }, 15],
    [{ status: "unreachable", failures: 1 }, 1],
    [{ status: "unreachable", failures: 2 }, 2],
    [{ status: "unreachable", failures: 5 }, 16],
    [{ status: "unreachable", failures: 100 }, 60],
  ])("%j: after %d minutes", (checked, minutes) => {
    expect(minutesUntil(checked)).toBe(minutes);
  });

  test("right after the certificate begins or ceases to be valid", () => {
    const soon = new Date(NOW.getTime() + 5 * MINUTE_MS);
    expect(minutesUntil({ notAfter: soon })).toBeCloseTo(5 + 1 / 60);
    expect(minutesUntil({ notBefore: soon })).toBeCloseTo(5 + 1 / 60);
    expect(minutesUntil({ notAfter: new Date(NOW.getTime() - MINUTE_MS) })).toBe(60);
  });

  test("spreads by a tenth in either direction, and never lies in the past or beyond the interval", () => {
    expect([minutesUntil({}, 0), minutesUntil({}, 1)]).toEqual([54, 66]);
    const any = fc.record({ failures: fc.nat(2000), random: fc.double({ min: 0, max: 1, noNaN: true }) });
    fc.assert(
      fc.property(any, ({ failures, random }) => {
        const wait = nextCheckAt({ ...healthy, failures }, NOW, random).getTime() - NOW.getTime();
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(INTERVAL_MS * 1.1);
      }),
    );
  });
});
