import { readFileSync } from "node:fs";
import type pg from "pg";

/**
 * A clock in milliseconds that runs only while this process, or the connection in PostgreSQL that `pool` gives
 * to whoever asks one thing at a time, is on a processor:
 * what a query takes where nothing else wants the machine and what it reads is in memory. Linux.
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
