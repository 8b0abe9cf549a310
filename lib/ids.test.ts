import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { idAt, idTime, newId } from "@/lib/ids";

const UUIDV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Unix milliseconds in 48 bits: until the year 10889. */
const instant = fc.integer({ min: 0, max: 2 ** 48 - 1 });

/** A UUIDv7 for an instant with any random bits. */
const idOf = fc.tuple(instant, fc.bigInt({ min: 0n, max: (1n << 74n) - 1n })).map(([time, random]) => {
  const hex = time.toString(16).padStart(12, "0");
  const a = (random & 0xfffn).toString(16).padStart(3, "0");
  const b = (0x8000000000000000n | ((random >> 12n) & 0x3fffffffffffffffn)).toString(16);
  return { time, id: `${hex.slice(0, 8)}-${hex.slice(8)}-7${a}-${b.slice(0, 4)}-${b.slice(4)}` };
});

describe("ids", () => {
  test("are UUIDv7 with the current time, in order of creation", () => {
    const before = Date.now();
    const made = Array.from({ length: 5_000 }, newId);
    const after = Date.now();
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
    for (const id of made) expect(id).toMatch(UUIDV7);
    // More ids than fit in one millisecond would run ahead of the clock.
    expect(idTime(made[0] ?? "")).toBeGreaterThanOrEqual(before);
    expect(idTime(made.at(-1) ?? "")).toBeLessThanOrEqual(after + 1);
  });

  test("stay in order if the clock is corrected a little, and follow it if it is set back further", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    try {
      const ahead = newId();
      vi.setSystemTime(Date.now() - 900);
      const corrected = newId();
      expect(corrected > ahead).toBe(true);
      vi.setSystemTime(Date.now() - 3_600_000);
      const back = [newId(), newId()];
      expect(idTime(back[0] ?? "")).toBe(Date.now());
      expect(back.toSorted()).toEqual(back);
    } finally {
      vi.useRealTimers();
    }
  });

  test("contain their time", () => {
    fc.assert(fc.property(idOf, ({ id, time }) => idTime(id) === time && UUIDV7.test(id)));
  });

  test("are at least the bound of their instant and less than any later bound", () => {
    fc.assert(
      fc.property(idOf, fc.integer({ min: 1, max: 1_000_000 }), ({ id, time }, later) => {
        expect(idAt(time) <= id).toBe(true);
        if (time + later < 2 ** 48) expect(id < idAt(time + later)).toBe(true);
        expect(idTime(idAt(time))).toBe(time);
      }),
    );
  });

  test.each([
    [0, "00000000-0000-0000-0000-000000000000"],
    [-1, "00000000-0000-0000-0000-000000000000"],
    [1.9, "00000000-0001-0000-0000-000000000000"],
    [Date.UTC(2026, 10, 21), "01a1fb67-1800-0000-0000-000000000000"],
    [2 ** 48 - 1, "ffffffff-ffff-0000-0000-000000000000"],
  ])("the lower bound for %d ms is %s", (time, bound) => {
    expect(idAt(time)).toBe(bound);
  });
});
