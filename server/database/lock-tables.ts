import type pg from "pg";
import { isTimeLimit } from "@/lib/db/unavailable";

/** A part of `deadlock_timeout`, after which PostgreSQL ends a transaction of a deadlock. */
const WAIT_PART = 0.6;

/** Indexes lead to their tables. */
const TABLES = `SELECT coalesce(indrelid, oid)::regclass::text AS name, array_agg(relname::text) AS words
  FROM pg_class LEFT JOIN pg_index ON indexrelid = oid
  WHERE relkind IN ('r', 'p', 'i', 'I') AND relnamespace = current_schema()::regnamespace AND relname = ANY($1)
  GROUP BY 1 ORDER BY 1`;

/** Tables and indexes whose readers wait too. */
const CHANGED =
  /\b(?:(?:ALTER|DROP)\s+(?:TABLE|INDEX)|DROP\s+TRIGGER\s+(?:IF\s+EXISTS\s+)?\S+\s+ON)\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?"?(\w+)/gi;
/** Tables of which the partitions are not locked. */
const ALONE = /\bONLY\s+"?(\w+)/gi;

const wordsOf = (sql: string, pattern: RegExp) => new Set([...sql.matchAll(pattern)].map((match) => match[1] ?? ""));

/**
 * Locks every table that a migration names, in the client's transaction, so that its statements wait for nothing: transactions of
 * an older release that still runs may need the same tables in another order. Waits less than `deadlock_timeout` in total, so that
 * none of them can be cancelled for a deadlock with the migration. Throws 55P03 while the tables are in use.
 */
export async function lockTables(client: pg.Client, sql: string): Promise<void> {
  const { rows } = await client.query<{ name: string; words: string[] }>(TABLES, [[...wordsOf(sql, /(\w+)/g)]]);
  if (rows.length === 0) return;
  const [changed, alone] = [wordsOf(sql, CHANGED), wordsOf(sql, ALONE)];
  const locks = rows.map(({ name, words }) => {
    const mode = words.some((word) => changed.has(word)) ? "ACCESS EXCLUSIVE" : "SHARE ROW EXCLUSIVE";
    return `LOCK TABLE ${alone.has(name) ? "ONLY " : ""}${name} IN ${mode} MODE;`;
  });
  const usual = await client.query<{ timeout: string }>("SELECT current_setting('statement_timeout') AS timeout");
  await client.query(
    `SELECT set_config('statement_timeout', floor(setting::integer * ${WAIT_PART})::text, true)
     FROM pg_settings WHERE name = 'deadlock_timeout'`,
  );
  try {
    // One statement, so that the time limit is that of all locks, also those of partitions.
    await client.query(`DO $$ BEGIN ${locks.join(" ")} END $$`);
  } catch (error) {
    throw isTimeLimit(error) ? Object.assign(error as Error, { code: "55P03" }) : error;
  }
  await client.query("SELECT set_config('statement_timeout', $1, true)", [usual.rows[0]?.timeout]);
}
