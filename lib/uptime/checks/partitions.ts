import { pool } from "@/lib/db/app";
import { earlierClock } from "@/lib/db/clocks";
import { callWithShortLock, isLocked, withShortLock } from "@/lib/db/short-lock";
import { BEFORE_ANY_ID } from "@/lib/ids";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";
import { utcDay } from "@/lib/text/dates";
import { DAY_MS } from "@/lib/time/units";
import { HOURLY_DAYS } from "@/lib/uptime/stats-contract";

/** Days to keep single checks, not counting today. Hourly rollups are kept longer (`HOURLY_DAYS`), daily rollups forever. */
export const RAW_DAYS = 7;
/** PostgreSQL's code for a row without a partition. */
const CHECK_VIOLATION = "23514";
/** Monitors per step that deletes rollups. */
const STEP = 200;

/** The UTC days whose partitions exist, as far as this process knows. */
const madeDays = () => processSingleton("uptime.days", () => new Set<string>());

/** Creates the partition for checks of that UTC day; queries the database once per process. */
export async function createDayPartitions(day: string): Promise<void> {
  const made = madeDays();
  if (made.has(day)) return;
  await callWithShortLock(pool(), "uptime_make_day($1::date)", [day]);
  made.add(day);
}

/**
 * Writes checks of those UTC days, whose partitions it creates before. Writes them once more if a partition that this process has seen
 * is gone, as after the clock of another process was wrong.
 */
export async function withDayPartitions<T>(days: ReadonlySet<string>, write: () => Promise<T>): Promise<T> {
  for (const day of days) await createDayPartitions(day);
  try {
    return await write();
  } catch (error) {
    if ((error as { code?: unknown }).code !== CHECK_VIOLATION) throw error;
    for (const day of days) madeDays().delete(day);
    for (const day of days) await createDayPartitions(day);
    return write();
  }
}

/**
 * Deletes expired single checks and hourly rollups, by the clock that is behind. A partition that is being read is dropped by a later
 * run.
 */
export async function expireChecks(signal: AbortSignal): Promise<void> {
  const now = await earlierClock(pool());
  const { rows } = await pool().query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'uptime_checks'::regclass AND c.relname < $1 ORDER BY c.relname`,
    [`uptime_checks_${utcDay(now - RAW_DAYS * DAY_MS).replaceAll("-", "")}`],
  );
  for (const { name } of rows) {
    try {
      await withShortLock(pool(), (client) => client.query(`DROP TABLE IF EXISTS partitions."${name}"`));
      log.info({ partition: name }, "dropped old uptime checks");
    } catch (error) {
      if (!isLocked(error)) throw error;
      log.info({ partition: name }, "old uptime checks are in use; will drop them later");
      break;
    }
  }
  await expireHourly(now, signal);
}

/** One monitor after the other, because the primary key of rollups begins with the monitor. */
async function expireHourly(now: number, signal: AbortSignal): Promise<void> {
  const oldest = new Date(now - HOURLY_DAYS * DAY_MS);
  let after = [BEFORE_ANY_ID, BEFORE_ANY_ID];
  while (!signal.aborted) {
    const { rows } = await pool().query<{ organization_id: string; id: string }>(
      `SELECT organization_id, id FROM uptime_monitors WHERE (organization_id, id) > ($1, $2)
       ORDER BY organization_id, id LIMIT ${STEP}`,
      after,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    for (const table of ["uptime_rollups", "uptime_latencies"]) {
      await pool().query(
        `DELETE FROM ${table} r USING unnest($1::uuid[], $2::uuid[]) AS m (organization_id, id)
         WHERE r.organization_id = m.organization_id AND r.monitor_id = m.id AND r.grain = 'hour' AND r.start < $3`,
        [rows.map((row) => row.organization_id), rows.map(({ id }) => id), oldest],
      );
    }
    after = [last.organization_id, last.id];
  }
}
