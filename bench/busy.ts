import { readFileSync } from "node:fs";
import type pg from "pg";

/**
 * A clock in milliseconds that runs only while this process, or the PostgreSQL connection that `pool` uses for sequential
 * queries, is on a processor: the duration of a query on an idle machine with its data in memory. Linux only.
 */
export async function busyClock(pool: pg.Pool): Promise<() => number> {
  const { rows } = await pool.query<{ pid: number }>(
    "SELECT pg_backend_pid() AS pid, set_config('max_parallel_workers_per_gather', '0', false)",
  );
  const file = `/proc/${rows[0]?.pid}/schedstat`;
  return () => {
    const { user, system } = process.cpuUsage();
    return Number(readFileSync(file, "utf8").split(" ", 1)[0]) / 1e6 + (user + system) / 1e3;
  };
}
