import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Entry } from "@/lib/certificates/record/record-results";
import { isScanUrgent } from "@/lib/certificates/record/scans";
import { type Checked, phaseOf, secondsToNextCheck } from "@/lib/certificates/record/schedule";
import { newId } from "@/lib/ids";
import { MINUTE_MS } from "@/lib/time/units";

const NOW = new Date("2026-11-21T12:00:00Z");
const HEALTHY: Checked = { id: newId(), intervalSeconds: 3600, status: "ok", failures: 0, validities: [] };

function minutesUntil(checked: Partial<Checked>, random = 0.5, now = NOW): number {
  return secondsToNextCheck({ ...HEALTHY, ...checked }, now, random) / 60;
}

describe("secondsToNextCheck", () => {
  test.each([
    [{ failures: 1 }, 1],
    [{ failures: 2 }, 2],
    [{ failures: 5 }, 16],
    [{ failures: 100 }, 60],
    [{ failures: 100, intervalSeconds: 86_400 }, 1440],
    [{ failures: 3, intervalSeconds: 60 }, 1],
  ])("unreachable, %j: after %d minutes", (checked, minutes) => {
    expect(minutesUntil({ status: "unreachable", ...checked })).toBe(minutes);
  });

  test.each([
    ["ok", 60],
    ["info", 60],
    ["warning", 30],
    ["critical", 15],
  ])("%s: each check falls on the endpoint's phase, one period after the last", (status, minutes) => {
    const first = new Date(NOW.getTime() + secondsToNextCheck({ ...HEALTHY, status }, NOW, 0.5) * 1000);
    const wait = minutesUntil({ status });
    expect(wait).toBeGreaterThanOrEqual(minutes / 2);
    expect(wait).toBeLessThan(minutes * 1.5);
    expect(minutesUntil({ status }, 0.5, first)).toBeCloseTo(minutes, 3);
    // A check that starts late does not delay the next ones.
    const late = new Date(first.getTime() + 3 * MINUTE_MS);
    expect(minutesUntil({ status }, 0.5, late)).toBeCloseTo(minutes - 3, 3);
  });

  test("immediately after a certificate becomes valid or expires", () => {
    const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);
    const until = (...validities: Checked["validities"]) => minutesUntil({ validities });
    expect(until({ notBefore: at(-9), notAfter: at(5) })).toBeCloseTo(5 + 1 / 60);
    expect(until({ notBefore: at(5), notAfter: at(900) })).toBeCloseTo(5 + 1 / 60);
    expect(until({ notBefore: at(-9), notAfter: at(-1) })).toBeGreaterThan(29);
    expect(until({ notBefore: at(-9), notAfter: at(900) }, { notBefore: at(-9), notAfter: at(4) })).toBeCloseTo(
      4 + 1 / 60,
    );
  });

  test("endpoints added together are spread evenly over the interval", () => {
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let n = 0; n < 20_000; n++) {
      const tenth = Math.floor((minutesUntil({ id: newId() }) - 30) / 6);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    expect(tenths).toHaveLength(10);
    for (const share of tenths) expect(share / 20_000).toBeCloseTo(0.1, 1);
    expect(phaseOf(HEALTHY.id)).toBe(phaseOf(HEALTHY.id));
  });

  test("is never in the past or far beyond the interval", () => {
    const any = fc.record({
      id: fc.uuid(),
      failures: fc.nat(2000),
      intervalSeconds: fc.integer({ min: 60, max: 86_400 }),
      status: fc.constantFrom("ok", "warning", "critical", "unreachable"),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(any, ({ random, ...checked }) => {
        const wait = secondsToNextCheck({ ...HEALTHY, ...checked }, NOW, random);
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(checked.intervalSeconds * 1.55);
      }),
    );
  });
});

/** An endpoint that was scanned so many hours ago, when it had these certificates. */
function entryOf(hoursAgo: number, seen: readonly string[], isServed = true): Entry {
  return {
    served: isServed ? {} : null,
    row: { tls_scan: { findings: Object.fromEntries(seen.map((sha256) => [sha256, []])) } },
    result: { endpoint: { scanDueAt: new Date(NOW.getTime() + (24 - hoursAgo) * 60 * MINUTE_MS) } },
  } as unknown as Entry;
}

test.each([
  ["is urgent if the endpoint had several certificates", entryOf(7, ["rsa", "ecdsa"]), NOW, true],
  ["waits for the next check if it had one", entryOf(7, ["rsa"]), NOW, false],
  ["waits if the last one was hours ago only", entryOf(6, ["rsa", "ecdsa"]), NOW, false],
  ["waits while it is not due", entryOf(7, ["rsa", "ecdsa"]), new Date(NOW.getTime() + 1), false],
  ["waits while nothing answers", entryOf(7, ["rsa", "ecdsa"], false), NOW, false],
])("a scan %s", (_, entry, scanAt, urgent) => {
  expect(isScanUrgent(entry, scanAt, NOW)).toBe(urgent);
});
