import type pg from "pg";

/** The time in Unix milliseconds, by this machine's clock or that of a database, whichever is behind. */
export async function earlierClock(database: Pick<pg.Pool, "query">): Promise<number> {
  const { rows } = await database.query<{ now: number }>(
    "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now",
  );
  return Math.floor(Math.min(Date.now(), rows[0]?.now ?? 0));
}
