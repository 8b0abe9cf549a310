import { pool } from "@/lib/db/app";
import { log } from "@/lib/log";
import { once } from "@/lib/once";

const DAY_MS = 86_400_000;
/** Days that single checks are kept, today not counted; roll-ups by hour longer, those by day for good. */
export const RAW_DAYS = 7;
const HOURLY_DAYS = 100;

/** The UTC day of an instant (Unix milliseconds), as `2026-11-21`. */
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Makes the partition that checks of that UTC day go to; asks the database once per process. */
export async function makeDay(day: string): Promise<void> {
  const made = once("uptime.days", () => new Set<string>());
  if (made.has(day)) return;
  await pool().query("SELECT uptime_make_day($1::date)", [day]);
  made.add(day);
}

/** Drops single checks and hourly roll-ups that are past their time. */
export async function dropOldChecks(): Promise<void> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'uptime_checks'::regclass AND c.relname < $1`,
    [`uptime_checks_${utcDay(Date.now() - RAW_DAYS * DAY_MS).replaceAll("-", "")}`],
  );
  for (const { name } of rows) await pool().query(`DROP TABLE IF EXISTS partitions.${name}`);
  if (rows.length > 0) log.info({ days: rows.length }, "dropped old uptime checks");
  const oldest = new Date(Date.now() - HOURLY_DAYS * DAY_MS);
  for (const table of ["uptime_rollups", "uptime_latencies"]) {
    await pool().query(`DELETE FROM ${table} WHERE grain = 'hour' AND start < $1`, [oldest]);
  }
}
