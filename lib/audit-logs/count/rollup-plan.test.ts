import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseInterval, intervalMs, isTooFine, rollupPlan, seriesStarts } from "@/lib/audit-logs/count/rollup-plan";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 21);
/** Instants around two weeks, half of them exactly on hours and days. */
const instant = fc
  .tuple(fc.integer({ min: 0, max: 14 * 24 }), fc.constantFrom(0, 1, HOUR - 1, HOUR / 2))
  .map(([hours, more]) => START + hours * HOUR + more);
const largest = fc.constantFrom("rows" as const, "hour" as const, "day" as const);

describe("the segments of a range", () => {
  test("cover it exactly, in order, without overlap", () => {
    fc.assert(
      fc.property(instant, instant, largest, (a, b, coarsest) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        const cut = rollupPlan(from, to, coarsest);
        if (from === to) expect(cut).toEqual([]);
        else expect([cut[0]?.from, cut.at(-1)?.to]).toEqual([from, to]);
        cut.forEach((segment, index) => {
          expect(segment.from).toBeLessThan(segment.to);
          if (index > 0) expect(segment.from).toBe(cut[index - 1]?.to);
        });
      }),
    );
  });

  test("use rollups for whole hours and days only, and rows for less than an hour at each end", () => {
    fc.assert(
      fc.property(instant, instant, largest, (a, b, coarsest) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        const cut = rollupPlan(from, to, coarsest);
        for (const { source, ...range } of cut) {
          const unit = { rows: 1, hour: HOUR, day: DAY }[source];
          expect([range.from % unit, range.to % unit]).toEqual([0, 0]);
          if (source === "rows" && cut.length > 1) expect(range.to - range.from).toBeLessThan(HOUR);
          if (coarsest !== "day") expect(source).not.toBe("day");
          if (coarsest === "rows") expect(source).toBe("rows");
        }
      }),
    );
  });

  test.each([
    [START, START + DAY, [["day", 24]]],
    [
      START - HOUR,
      START + DAY + HOUR,
      [
        ["hour", 1],
        ["day", 24],
        ["hour", 1],
      ],
    ],
    [
      START + HOUR / 2,
      START + 3 * HOUR,
      [
        ["rows", 0.5],
        ["hour", 2],
      ],
    ],
    [START + 1, START + HOUR - 1, [["rows", (HOUR - 2) / HOUR]]],
    [START + HOUR / 2, START + 1.5 * HOUR, [["rows", 1]]],
  ])("from %d to %d", (from, to, expected) => {
    expect(rollupPlan(from, to, "day").map(({ source, ...range }) => [source, (range.to - range.from) / HOUR])).toEqual(
      expected,
    );
  });
});

describe("the points of a series", () => {
  test("cover every instant of the range exactly once", () => {
    fc.assert(
      fc.property(instant, instant, fc.constantFrom("hour" as const, "day" as const), (a, b, interval) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        const starts = seriesStarts(from, to, interval);
        const step = intervalMs[interval];
        expect(starts).toEqual(starts.map((_, index) => (starts[0] ?? 0) + index * step));
        if (from < to) {
          expect(starts[0]).toBeLessThanOrEqual(from);
          expect((starts[0] ?? 0) + step).toBeGreaterThan(from);
          expect(starts.at(-1)).toBeLessThan(to);
          expect((starts.at(-1) ?? 0) + step).toBeGreaterThanOrEqual(to);
        } else if (from % step === 0) expect(starts).toEqual([]);
      }),
    );
  });

  test("number at most about 400 by default, and the interval is never too fine", () => {
    for (const length of [1, HOUR, 6 * HOUR, 7 * HOUR, DAY, 14 * DAY, 30 * DAY, 365 * DAY]) {
      const interval = chooseInterval(START, START + length);
      expect(seriesStarts(START, START + length, interval).length).toBeLessThanOrEqual(400);
      expect(isTooFine(START, START + length, interval)).toBe(false);
    }
    expect(isTooFine(START, START + 365 * DAY, "minute")).toBe(true);
  });

  test("may be days over any range: a log on hold is longer than the longest retention", () => {
    const end = START + 4_000 * DAY;
    expect(chooseInterval(START, end)).toBe("day");
    expect([isTooFine(START, end, "day"), isTooFine(START, end, "hour")]).toEqual([false, true]);
  });
});
