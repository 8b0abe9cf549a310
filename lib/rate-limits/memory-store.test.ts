import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemoryStore } from "@/lib/rate-limits/memory-store";
import { SCRIPT_SHA } from "@/lib/rate-limits/script";
import { slide, WINDOW_MS } from "@/lib/rate-limits/window";

function stoppedClock() {
  let now = 5_000;
  const store = new MemoryStore(() => now);
  const ask = async (key: string, limit: number, take = true) => {
    const answer = await store.evalsha(SCRIPT_SHA, [key], [String(limit), String(WINDOW_MS), take ? "1" : "0"]);
    return answer.slice(0, 4);
  };
  return {
    store,
    ask,
    pass: (ms: number) => (now += ms),
    windows: () => Reflect.get(store, "windows") as Map<string, number[]>,
  };
}

describe("the store in memory", () => {
  test("has a separate window for each key", async () => {
    const step = fc.record({
      key: fc.constantFrom("a", "b", "c"),
      after: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 2 * WINDOW_MS })),
      take: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), async (steps, limit) => {
        const { ask, pass } = stoppedClock();
        const model = new Map<string, number[]>();
        for (const { key, after, take } of steps) {
          const now = pass(after);
          const times = model.get(key) ?? [];
          model.set(key, times);
          const { admitted, used, freeInMs, fullInMs } = slide(times, now, limit, take);
          expect(await ask(key, limit, take)).toEqual([admitted ? 1 : 0, used, freeInMs, fullInMs]);
        }
      }),
    );
  });

  test("reading a window stores nothing", async () => {
    const { ask, windows } = stoppedClock();
    expect(await ask("a", 5, false)).toEqual([1, 0, 0, 0]);
    expect(windows().size).toBe(0);
  });

  test("deletes the windows of unused keys, and no others", async () => {
    const { ask, pass, windows } = stoppedClock();
    for (let key = 0; key < 100; key++) await ask(`once-${key}`, 5);
    pass(WINDOW_MS / 2);
    await ask("twice", 5);
    pass(WINDOW_MS / 2);
    await ask("now", 5);
    expect([...windows().keys()].sort()).toEqual(["now", "twice"]);
    expect(await ask("twice", 5)).toEqual([1, 2, 0, WINDOW_MS]);
  });

  test("adopts the count of a shared store, and never reduces its own", async () => {
    const { store, ask, pass } = stoppedClock();
    await ask("a", 10);
    pass(20_000);
    store.learn("a", 4);
    expect(await ask("a", 10, false)).toEqual([1, 4, 0, WINDOW_MS]);
    store.learn("a", 2);
    store.learn("b", 0);
    expect(await ask("a", 4)).toEqual([0, 4, WINDOW_MS - 20_000, WINDOW_MS]);
    expect(await ask("b", 4, false)).toEqual([1, 0, 0, 0]);
    pass(WINDOW_MS - 20_000);
    store.learn("a", 3);
    expect(await ask("a", 4)).toEqual([1, 4, 20_000, WINDOW_MS]);
  });
});
