import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { daysLeft, expiryWarning, lifetimeLeftShare } from "@/lib/certificates/lifetime";
import { DAY_MS } from "@/lib/time/units";

const ISSUED = new Date("2026-01-01T00:00:00Z");

function lasting(days: number) {
  return { notBefore: ISSUED, notAfter: new Date(ISSUED.getTime() + days * DAY_MS) };
}

function withLeft(lifetime: number, left: number): Date {
  return new Date(ISSUED.getTime() + (lifetime - left) * DAY_MS);
}

describe("expiryWarning", () => {
  test.each([
    [398, 30, 14, 7],
    [200, 30, 14, 7],
    [90, 29.7, 14, 7],
    [47, 15.51, 9.4, 4.7],
    [6, 1.98, 1.2, 0.6],
  ])("a lifetime of %d days warns below %d, %d and %d days", (lifetime, info, warning, critical) => {
    const severityAt = (left: number) => expiryWarning(lasting(lifetime), withLeft(lifetime, left))?.severity ?? null;
    expect(severityAt(info + 0.01)).toBe(null);
    expect(severityAt(info - 0.01)).toBe("info");
    expect(severityAt(warning + 0.01)).toBe("info");
    expect(severityAt(warning - 0.01)).toBe("warning");
    expect(severityAt(critical + 0.01)).toBe("warning");
    expect(severityAt(critical - 0.01)).toBe("critical");
    expect(severityAt(-1)).toBe("critical");
  });

  test("never becomes less severe as time passes", () => {
    const order = [null, "info", "warning", "critical"];
    const rank = (lifetime: number, left: number) =>
      order.indexOf(expiryWarning(lasting(lifetime), withLeft(lifetime, left))?.severity ?? null);
    const days = fc.double({ min: 0.01, max: 4000, noNaN: true });
    fc.assert(
      fc.property(days, days, days, (lifetime, a, b) => {
        expect(rank(lifetime, Math.min(a, b))).toBeGreaterThanOrEqual(rank(lifetime, Math.max(a, b)));
      }),
    );
  });
});

test("remaining days and share", () => {
  expect(daysLeft(lasting(90), withLeft(90, 45.5))).toBe(45.5);
  expect(daysLeft(lasting(90), withLeft(90, -2))).toBe(-2);
  expect(lifetimeLeftShare(lasting(90), withLeft(90, 45))).toBe(0.5);
  expect(lifetimeLeftShare(lasting(90), withLeft(90, -2))).toBe(0);
  expect(lifetimeLeftShare(lasting(90), withLeft(90, 100))).toBe(1);
  expect(lifetimeLeftShare(lasting(0), ISSUED)).toBe(0);
});
