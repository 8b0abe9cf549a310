import pg from "pg";
import { HOUR_MS } from "@/lib/time/units";

const WORKERS = 2;

/**
 * Copies every event until there are `times` of it, with new ids at other times within its hour, so that the counts by hour and day
 * are exactly multiplied. The search index is dropped first and built again afterwards, as for a large COPY.
 */
export async function multiply(pool: pg.Pool, times: number): Promise<void> {
  const { rows: indexes } = await pool.query<{ name: string; method: string }>(
    `SELECT indexrelid::regclass::text AS name, substring(pg_get_indexdef(indexrelid) FROM ' USING .*') AS method FROM pg_index
     JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
     WHERE indrelid = 'audit_events'::regclass AND amname = 'gin'`,
  );
  for (const { name } of indexes) await pool.query(`DROP INDEX ${name}`);
  const { rows: days } = await pool.query<{ day: string }>(
    `SELECT right(relname, 8) AS day FROM pg_class WHERE relnamespace = 'partitions'::regnamespace
       AND relname ~ '^audit_events_365_\\d{8}$' AND relkind = 'r' ORDER BY day`,
  );
  const left = days.map(({ day }) => day);
  const work = async () => {
    // Without the time limits of the pool's own connections.
    const client = new pg.Client({ ...pool.options, query_timeout: 0 });
    await client.connect();
    try {
      await client.query(
        "SET statement_timeout = 0; SET synchronous_commit = off; SET work_mem = '64MB'; SET maintenance_work_mem = '512MB'",
      );
      for (let day = left.pop(); day !== undefined; day = left.pop()) {
        await multiplyDay(client, day, times);
        for (const { method } of indexes)
          await client.query(`CREATE INDEX ON partitions.audit_events_365_${day}${method}`);
        process.stderr.write(`\r${left.length} days left to copy   `);
      }
    } finally {
      await client.end();
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  process.stderr.write("\n");
  // Attaches the indexes of the days.
  for (const { name, method } of indexes) await pool.query(`CREATE INDEX ${name} ON audit_events${method}`);
}

/** An id at another time within the hour, the `$1`-th of `$2`; the rest derives from the original id and the number of the copy. */
const MS = `('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint`;
const MOVED = `(ms - ms % ${HOUR_MS} + (ms % ${HOUR_MS} + copy * ${HOUR_MS} / $1::bigint) % ${HOUR_MS})`;
const ID = `(lpad(to_hex(${MOVED}), 12, '0') || '7' || substr(hash, 1, 3) || '8' || substr(hash, 4, 15))::uuid`;

async function multiplyDay(client: pg.Client, day: string, times: number): Promise<void> {
  for (const table of ["audit_events", "audit_bodies"]) {
    const { rows } = await client.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0
         AND attname NOT IN ('id', 'occurred_at', 'written') AND NOT attisdropped`,
      [table],
    );
    const names = rows.map(({ name }) => name).join(", ");
    const [time, moved] = table === "audit_events" ? [", occurred_at", `, to_timestamp(${MOVED} / 1000.0)`] : ["", ""];
    await client.query(
      `INSERT INTO partitions.${table}_365_${day} (id${time}, ${names}) SELECT ${ID}${moved}, ${names}
       FROM partitions.${table}_365_${day}, generate_series(1, $1::bigint - 1) AS copy,
         LATERAL (SELECT ${MS} AS ms, md5(id::text || copy) AS hash) AS original`,
      [times],
    );
  }
  await client.query(
    `BEGIN; CREATE TEMP TABLE counted ON COMMIT DROP AS SELECT * FROM partitions.audit_rollups_365_${day}`,
  );
  await client.query(`TRUNCATE partitions.audit_rollups_365_${day}`);
  await client.query(
    `INSERT INTO partitions.audit_rollups_365_${day} (organization_id, retention_days, start, grain, dimension, value, events, peak)
     SELECT organization_id, retention_days, start, grain, dimension, value, events * $1::bigint, peak FROM counted
     ORDER BY organization_id, retention_days, grain, dimension, start, value`,
    [times],
  );
  await client.query("COMMIT");
}
