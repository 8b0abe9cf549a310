import type pg from "pg";
import { DAY_MS } from "@/lib/time/units";

/** How much time of the log one statement covers, in milliseconds: it plans and locks each day of every class in it. */
export const SPAN_MS = 32 * DAY_MS;

/** The start of the oldest day that has a partition for events, in Unix milliseconds; now if none has. */
export async function oldestDay(database: Pick<pg.ClientBase, "query">): Promise<number> {
  const { rows } = await database.query<{ day: number | null }>(
    String.raw`SELECT extract(epoch FROM to_date(min(right(relname, 8)), 'YYYYMMDD'))::float8 * 1000 AS day
     FROM pg_class WHERE relnamespace = 'partitions'::regnamespace AND relname ~ '^audit_events_\d+_\d{8}$'`,
  );
  return rows[0]?.day ?? Date.now();
}
