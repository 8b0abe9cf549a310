import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { withTransaction } from "@/lib/db/connections";

/** Maximum wait of DDL for a lock in milliseconds: other statements queue behind it in the meantime. */
const LOCK_TIMEOUT_MS = 100;
const MAX_ATTEMPTS = 5;
const RETRY_PAUSE_MS = 500;

/**
 * Runs DDL in a transaction that waits only briefly for locks, with retries after a pause. Throws 55P03 if the table is still in use
 * (see `isLocked`), and any other error of the work.
 */
export function withShortLock<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return withRetries(() => withTransaction(pool, work, { lockMs: LOCK_TIMEOUT_MS }));
}

/** Like `withShortLock`, for a database function that changes a table's structure, on any connection. Returns the function's result. */
export async function callWithShortLock(
  database: Pick<pg.ClientBase, "query">,
  call: string,
  values: unknown[],
): Promise<unknown> {
  const text = `WITH short AS MATERIALIZED (SELECT set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true))
    SELECT ${call} AS result FROM short`;
  const { rows } = await withRetries(() => database.query<{ result: unknown }>(text, values));
  return rows[0]?.result;
}

async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || attempt === MAX_ATTEMPTS) throw error;
    }
    await delay(RETRY_PAUSE_MS * Math.random());
  }
}

/** Whether a statement timed out waiting for a lock (SQLSTATE 55P03, `lock_not_available`). */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "55P03";
}
