import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { slide, WINDOW_MS } from "@/lib/rate-limits/window";

interface Ask {
  /** Milliseconds since the previous request. */
  after: number;
  take: boolean;
}

/** Schedules with bursts, pauses and steps around the exact edge of the window. */
const gap = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 50 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(WINDOW_MS - 1, WINDOW_MS, WINDOW_MS + 1) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 * WINDOW_MS }) },
);
const schedule = fc.array(fc.record({ after: gap, take: fc.constant(true) }), { maxLength: 120 });
/** The same, with some reads that take nothing. */
const mixed = fc.array(fc.record({ after: gap, take: fc.boolean() }), { maxLength: 120 });
const limit = fc.integer({ min: 1, max: 8 });

/** Runs a schedule and passes every standing to `each`. Returns the times of admitted requests. */
function run(
  asks: readonly Ask[],
  most: number,
  each: (standing: ReturnType<typeof slide>, now: number, times: readonly number[], take: boolean) => void = () => {},
): number[] {
  const times: number[] = [];
  const admitted: number[] = [];
  let now = 1_000_000;
  for (const { after, take } of asks) {
    now += after;
    const standing = slide(times, now, most, take);
    if (standing.admitted && take) admitted.push(now);
    each(standing, now, times, take);
  }
  return admitted;
}

describe("the sliding window", () => {
  test("never admits more than the limit in any 60 seconds", () => {
    fc.assert(
      fc.property(schedule, limit, (asks, most) => {
        const admitted = run(asks, most);
        // Every half-open span that could exceed the limit starts with an admitted request.
        for (const from of admitted) {
          expect(admitted.filter((time) => time >= from && time < from + WINDOW_MS).length).toBeLessThanOrEqual(most);
        }
      }),
    );
  });

  test("agrees with counting the admitted requests of the last 60 seconds", () => {
    fc.assert(
      fc.property(mixed, limit, (asks, most) => {
        const past: number[] = [];
        run(asks, most, ({ admitted, used }, now, _, take) => {
          const before = past.filter((time) => time > now - WINDOW_MS).length;
          expect(admitted).toBe(before < most);
          if (admitted && take) past.push(now);
          expect(used).toBe(before + (admitted && take ? 1 : 0));
        });
      }),
    );
  });

  test("refused requests and reads do not count", () => {
    fc.assert(
      fc.property(mixed, limit, (asks, most) => {
        const all = run(asks, most);
        const only: number[] = [];
        const times: number[] = [];
        for (const now of all) if (slide(times, now, most, true).admitted) only.push(now);
        expect(only).toEqual(all);
      }),
    );
  });

  test("admits the next request after the reported time, and not earlier", () => {
    fc.assert(
      fc.property(mixed, limit, (asks, most) => {
        run(asks, most, ({ freeInMs, used }, now, times) => {
          expect(slide([...times], now + freeInMs, most, true).admitted).toBe(true);
          if (used >= most) expect(slide([...times], now + freeInMs - 1, most, true).admitted).toBe(false);
          else expect(freeInMs).toBe(0);
        });
      }),
    );
  });

  test("is empty after the reported time, and not earlier", () => {
    fc.assert(
      fc.property(mixed, limit, (asks, most) => {
        run(asks, most, ({ fullInMs, used }, now, times) => {
          expect(slide([...times], now + fullInMs, most, false).used).toBe(0);
          if (used > 0) expect(slide([...times], now + fullInMs - 1, most, false).used).toBeGreaterThan(0);
          expect(fullInMs).toBeLessThanOrEqual(WINDOW_MS);
        });
      }),
    );
  });

  test("stores no more times than the limit", () => {
    fc.assert(
      fc.property(schedule, limit, (asks, most) => {
        run(asks, most, (_, __, times) => expect(times.length).toBeLessThanOrEqual(most));
      }),
    );
  });

  test("is half-open: a request counts for 60 s, and no longer at exactly 60 s", () => {
    const times: number[] = [];
    expect(slide(times, 0, 1, true)).toEqual({ admitted: true, used: 1, freeInMs: WINDOW_MS, fullInMs: WINDOW_MS });
    expect(slide(times, WINDOW_MS - 1, 1, true)).toEqual({ admitted: false, used: 1, freeInMs: 1, fullInMs: 1 });
    expect(slide(times, WINDOW_MS, 1, true)).toEqual({
      admitted: true,
      used: 1,
      freeInMs: WINDOW_MS,
      fullInMs: WINDOW_MS,
    });
  });

  test("a lowered limit takes effect immediately", () => {
    const times: number[] = [];
    for (const now of [0, 10, 20]) slide(times, now, 3, true);
    expect(slide(times, 30, 1, true)).toEqual({ admitted: false, used: 3, freeInMs: 59_990, fullInMs: 59_990 });
  });
});
