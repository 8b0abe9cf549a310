import { expect, test } from "vitest";
import { limitsOf } from "@/server/embedded/connections-needed";

test("one web process has as many connections as ever, and several have room for their pools", () => {
  expect(limitsOf({ WEB_CONCURRENCY: 1, DATABASE_POOL_SIZE: 20 })).toEqual({
    ...{ max_connections: 200, max_locks_per_transaction: 256 },
  });
  const { max_connections } = limitsOf({ WEB_CONCURRENCY: 4, DATABASE_POOL_SIZE: 20 });
  expect(max_connections).toBeGreaterThanOrEqual(237);
});

test("settings for a large PostgreSQL elsewhere do not take the memory of this one", () => {
  expect(limitsOf({ WEB_CONCURRENCY: 64, DATABASE_POOL_SIZE: 1_000 })).toEqual({
    ...{ max_connections: 5_000, max_locks_per_transaction: 64 },
  });
});

test("the table of locks never has less room, nor much more unless there are very many connections", () => {
  for (const WEB_CONCURRENCY of [1, 2, 4, 8, 16])
    for (const DATABASE_POOL_SIZE of [5, 20, 100]) {
      const limits = limitsOf({ WEB_CONCURRENCY, DATABASE_POOL_SIZE });
      const room = limits.max_connections * limits.max_locks_per_transaction;
      expect(room).toBeGreaterThanOrEqual(51_200);
      expect(room).toBeLessThan(Math.max(2 * 51_200, 65 * limits.max_connections));
    }
});
