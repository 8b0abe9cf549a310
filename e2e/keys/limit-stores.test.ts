import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, afterEach, beforeEach, describe, expect, vi } from "vitest";
import { hasRedis, startRedis } from "@/e2e/support/servers/redis";
import { startUpstash } from "@/e2e/support/stand-ins/upstash";
import { dailyTest, longTest } from "@/e2e/support/tier-tests";
import { until } from "@/e2e/support/until";
import { FallbackStore } from "@/lib/rate-limits/fallback-store";
import { MemoryStore } from "@/lib/rate-limits/memory-store";
import { RedisStore } from "@/lib/rate-limits/redis-store";
import { SCRIPT_SHA } from "@/lib/rate-limits/script";
import type { Answer, Store } from "@/lib/rate-limits/store";
import { UpstashStore } from "@/lib/rate-limits/upstash-store";
import { slide, WINDOW_MS } from "@/lib/rate-limits/window";

const redis = hasRedis ? await startRedis() : null;
const upstash = redis && (await startUpstash(redis.client));
const opened: RedisStore[] = [];
afterAll(async () => {
  for (const store of opened) store.close();
  upstash?.close();
  await redis?.destroy();
});

function connect(url = redis?.url ?? "", ...timeout: number[]): RedisStore {
  const store = new RedisStore(url, ...timeout);
  opened.push(store);
  return store;
}

interface Kind {
  name: string;
  /** Another client of the same windows. */
  open: () => Store;
  isShared: boolean;
}

/** What is tested of the windows does not depend on how busy the machine is. */
const STORE_TIMEOUT_MS = 120_000;
const memory = new MemoryStore();
const kinds: Kind[] = [
  { name: "memory", open: () => memory, isShared: false },
  { name: "Redis", open: () => connect(redis?.url, STORE_TIMEOUT_MS), isShared: true },
  {
    name: "Upstash",
    open: () => new UpstashStore(upstash?.url ?? "", upstash?.token ?? "", STORE_TIMEOUT_MS),
    isShared: true,
  },
];

const ask = (store: Store, key: string, limit: number, { window = WINDOW_MS, take = true } = {}) =>
  store.evalsha(SCRIPT_SHA, [key], [String(limit), String(window), take ? "1" : "0"]);

for (const { name, open, isShared } of kinds) {
  describe.skipIf(isShared && redis === null)(`limits in ${name}`, () => {
    // In memory only `pass` advances the time; elsewhere the store's own clock runs, and its answers contain the time.
    beforeEach(() => {
      if (!isShared) vi.useFakeTimers({ toFake: ["Date", "performance"] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });
    const pass = (ms: number) => {
      if (!isShared) vi.advanceTimersByTime(ms);
    };

    dailyTest("keep an exact window per key, by the store's clock", async () => {
      const store = open();
      const step = fc.record({
        key: fc.constantFrom("a", "b"),
        after: fc.integer({ min: 0, max: 10 }),
        take: fc.boolean(),
      });
      const limit = fc.integer({ min: 1, max: 4 });
      // A window of 0 has passed before the store answers.
      const window = fc.integer({ min: 0, max: 30 });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), limit, window, async (steps, most, window) => {
          const run = randomUUID();
          const model = new Map<string, number[]>();
          for (const { key, after, take } of steps) {
            pass(after);
            const [admitted, used, free, full, now] = await ask(store, `${run}:${key}`, most, { window, take });
            const times = model.get(key) ?? [];
            model.set(key, times);
            const right = slide(times, now, most, take, window);
            expect({ admitted: admitted === 1, used, freeInMs: free, fullInMs: full }).toEqual(right);
          }
        }),
        { numRuns: 50 },
      );
    });

    dailyTest("admit exactly the limit of concurrent requests through several clients", async () => {
      const key = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 4 }, open).flatMap((client) => Array.from({ length: 50 }, () => ask(client, key, 73))),
      );
      const admitted = answers.filter(([admitted]) => admitted === 1);
      const used = admitted.map(([, used]) => used).sort((a, b) => a - b);
      expect(used).toEqual(Array.from({ length: 73 }, (_, n) => n + 1));
    });

    longTest(
      "hold in every window under steady load from several clients: never one more, never one less",
      async () => {
        const key = randomUUID();
        const [most, window] = [20, 40];
        const answers: Answer[] = [];
        const rush = async (client: Store) => {
          for (let n = 0; n < 400; n++) {
            pass(1);
            answers.push(await ask(client, key, most, { window }));
          }
        };
        await Promise.all(Array.from({ length: 4 }, open).map(rush));
        const timesOf = (wanted: number) =>
          answers
            .filter(([admitted]) => admitted === wanted)
            .map(([, , , , now]) => now)
            .sort((a, b) => a - b);
        const [admitted, refused] = [timesOf(1), timesOf(0)];
        expect(refused.length).toBeGreaterThan(0);
        const spans = admitted.slice(most).map((time, index) => time - (admitted[index] ?? 0));
        expect(Math.min(...spans)).toBeGreaterThanOrEqual(window);
        const inWindow = refused.map((now) => admitted.filter((time) => time > now - window && time <= now).length);
        expect(new Set(inWindow)).toEqual(new Set([most]));
      },
    );

    dailyTest("that are lowered apply immediately", async () => {
      const [store, key] = [open(), randomUUID()];
      for (let n = 0; n < 5; n++) await ask(store, key, 5);
      expect((await ask(store, key, 2)).slice(0, 2)).toEqual([0, 5]);
    });

    if (!isShared) return;

    dailyTest("do not depend on this process's clock", async () => {
      const [store, key] = [open(), randomUUID()];
      const [, , , , before] = await ask(store, key, 2);
      vi.useFakeTimers({ toFake: ["Date"], now: before + 3 * WINDOW_MS });
      const [admitted, used, , , after] = await ask(store, key, 2);
      expect([admitted, used]).toEqual([1, 2]);
      expect(after - before).toBeLessThan(WINDOW_MS);
    });

    dailyTest("load their script again into a server that lost it", async () => {
      const [store, key] = [open(), randomUUID()];
      await ask(store, key, 5);
      await redis?.client.script("FLUSH");
      const answers = await Promise.all([ask(store, key, 5), ask(store, key, 5)]);
      expect(answers.map(([, used]) => used).sort()).toEqual([2, 3]);
    });

    dailyTest("leave no data behind: a read writes nothing, a window expires", async () => {
      const [store, key] = [open(), randomUUID()];
      await ask(store, key, 5, { take: false });
      expect(await redis?.client.exists(key)).toBe(0);
      await ask(store, key, 5);
      expect(await redis?.client.pttl(key)).toBeGreaterThan(0);
      await ask(store, key, 5, { window: 1 });
      await until("the window is gone", async () => (await redis?.client.exists(key)) === 0);
    });
  });
}

describe.skipIf(redis === null)("a shared store that becomes unavailable", () => {
  const LIMIT = 20;

  async function withOwnRedis() {
    const server = await startRedis();
    const [one, other] = [connect(server.url), connect(server.url)];
    return { server, store: new FallbackStore(one, new MemoryStore()), other };
  }

  dailyTest("is replaced by this process's memory, which continues from the store's last answer", async () => {
    const { server, store, other } = await withOwnRedis();
    const key = randomUUID();
    for (let n = 0; n < 7; n++) await ask(store, key, LIMIT);
    for (let n = 0; n < 5; n++) await ask(other, key, LIMIT);
    expect((await ask(store, key, LIMIT)).slice(0, 2)).toEqual([1, 13]);
    await server.kill();
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(store, key, LIMIT)));
    expect(store.available).toBe(false);
    expect(answers.map(([admitted, used]) => [admitted, used])).toEqual([
      ...Array.from({ length: 7 }, (_, n) => [1, 14 + n]),
      [0, LIMIT],
      [0, LIMIT],
      [0, LIMIT],
    ]);
    const [, , free, full, now] = await ask(store, key, LIMIT);
    expect(free).toBeGreaterThan(0);
    expect(full).toBeLessThanOrEqual(WINDOW_MS);
    expect(Math.abs(now - Date.now())).toBeLessThan(WINDOW_MS);

    await server.start();
    await until("the store counts again", () => store.available);
    // The store was started empty, but requests admitted in its absence still count.
    expect((await ask(store, key, LIMIT)).slice(0, 2)).toEqual([0, LIMIT]);
    const fresh = randomUUID();
    expect((await ask(store, fresh, LIMIT)).slice(0, 2)).toEqual([1, 1]);
    expect((await ask(other, fresh, LIMIT)).slice(0, 2)).toEqual([1, 2]);
    expect((await ask(store, fresh, LIMIT)).slice(0, 2)).toEqual([1, 3]);
    await server.destroy();
  });

  dailyTest("or does not answer, delays no request for long, and is used again when it answers", async () => {
    const { server, store, other } = await withOwnRedis();
    const key = randomUUID();
    await ask(store, key, LIMIT);
    server.pause();
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(store, key, LIMIT)));
    expect(answers.filter(([admitted]) => admitted === 1)).toHaveLength(LIMIT - 1);
    expect(store.available).toBe(false);
    server.resume();
    await until("the store counts again", () => store.available);
    expect((await ask(store, key, LIMIT))[0]).toBe(0);
    const fresh = randomUUID();
    await ask(store, fresh, LIMIT);
    expect((await ask(other, fresh, LIMIT, { take: false }))[1]).toBe(1);
    await server.destroy();
  });

  dailyTest("or was demoted without losing its connections, is asked by new ones", async () => {
    const { server, store } = await withOwnRedis();
    await ask(store, randomUUID(), LIMIT);
    const connectionOf = async () => {
      const list = String(await server.client.client("LIST"));
      return /^id=(\d+) .* name=sealwatch .* cmd=eval/m.exec(list)?.[1];
    };
    const before = await connectionOf();
    expect(before).toBeDefined();
    await server.client.call("REPLICAOF", "127.0.0.1", "1");
    expect((await ask(store, randomUUID(), LIMIT)).slice(0, 2)).toEqual([1, 1]);
    expect(store.available).toBe(false);
    await until("the connection is another", async () => {
      const list = String(await server.client.client("LIST"));
      return !list.includes(`id=${before} `);
    });
    await server.client.call("REPLICAOF", "NO", "ONE");
    await until("the store counts again", () => store.available);
    await server.destroy();
  });

  longTest("is not considered unavailable because this process was suspended", async () => {
    const { server, store, other } = await withOwnRedis();
    const key = randomUUID();
    await ask(store, key, LIMIT);
    const asked = ask(store, key, LIMIT);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    expect((await asked).slice(0, 2)).toEqual([1, 2]);
    expect(store.available).toBe(true);
    expect((await ask(other, key, LIMIT, { take: false }))[1]).toBe(2);
    await server.destroy();
  });

  dailyTest("or was never available, refuses no request", async () => {
    const { server, store } = await withOwnRedis();
    await server.destroy();
    await expect(store.tryOut()).rejects.toThrow();
    expect((await ask(store, randomUUID(), LIMIT)).slice(0, 2)).toEqual([1, 1]);
    expect(store.available).toBe(false);
  });
});
