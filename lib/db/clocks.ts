import type pg from "pg";

type Database = Pick<pg.Pool, "query">;

/** The time in Unix milliseconds by a database's clock. */
async function databaseClock(database: Database): Promise<number> {
  const { rows } = await database.query<{ now: number }>(
    "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now",
  );
  return rows[0]?.now ?? 0;
}

/** The time in Unix milliseconds, by this machine's clock or that of a database, whichever is behind: for what expires. */
export async function earlierClock(database: Database): Promise<number> {
  return Math.floor(Math.min(Date.now(), await databaseClock(database)));
}

/** As `earlierClock`, by whichever clock is ahead: for what another process may have let expire. */
export async function laterClock(database: Database): Promise<number> {
  return Math.ceil(Math.max(Date.now(), await databaseClock(database)));
}
