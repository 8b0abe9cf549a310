import { expect, test, vi } from "vitest";
import { FallbackStore } from "@/lib/rate-limits/fallback-store";
import { MemoryStore } from "@/lib/rate-limits/memory-store";
import { SCRIPT_SHA } from "@/lib/rate-limits/script";
import type { Store } from "@/lib/rate-limits/store";
import { WINDOW_MS } from "@/lib/rate-limits/window";

const PATIENT = { timeout: 60_000, interval: 50 };

/** A fallback store whose shared store was away and is back, and the stores of which it consists. */
async function returned() {
  let now = 1_000_000;
  const [shared, own] = [new MemoryStore(() => now), new MemoryStore(() => now)];
  let isAway = true;
  const reached: Store = {
    evalsha: async (sha, keys, args) => {
      if (isAway) throw new Error("away");
      return shared.evalsha(sha, keys, args);
    },
  };
  const store = new FallbackStore(reached, own);
  const ask = async (of: Store, key: string, limit: number, take = true) => {
    const answer = await of.evalsha(SCRIPT_SHA, [key], [String(limit), String(WINDOW_MS), take ? "1" : "0"]);
    return answer.slice(0, 4);
  };
  await ask(store, "other", 1);
  isAway = false;
  await vi.waitUntil(() => store.available, PATIENT);
  return {
    ...{ store, shared, own, ask },
    pass(ms: number) {
      now += ms;
    },
  };
}

test("after an outage a request that the shared store refuses uses nothing, and its answer is true of both", async () => {
  const { store, shared, own, ask, pass } = await returned();
  await ask(own, "key", 2);
  pass(10_000);
  for (let n = 0; n < 2; n++) await ask(shared, "key", 2);
  pass(10_000);
  // There is room in the process's own memory, and none in the shared store for another 50 s.
  expect(await ask(store, "key", 2)).toEqual([0, 2, 50_000, 50_000]);
  pass(40_000);
  // What the process counted itself is over; what it learned of the shared store is not.
  expect(await ask(own, "key", 2, false)).toEqual([1, 1, 0, 20_000]);
});

test("after an outage a request needs room in both", async () => {
  const { store, shared, own, ask } = await returned();
  for (let n = 0; n < 2; n++) await ask(own, "key", 2);
  expect((await ask(store, "key", 2))[0]).toBe(0);
  expect(await ask(shared, "key", 2, false)).toEqual([1, 0, 0, 0]);
  expect(await ask(store, "new", 2)).toEqual([1, 1, 0, WINDOW_MS]);
  expect(await ask(own, "new", 2, false)).toEqual([1, 1, 0, WINDOW_MS]);
});
