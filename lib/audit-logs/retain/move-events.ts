import type pg from "pg";
import { expansion, keyExpansion, readExpansion } from "@/lib/audit-logs/count/dimensions";
import { latencyBucketSql } from "@/lib/histogram";

const COUNTED = ["flags", latencyBucketSql("response_time_us"), "tokens"] as const;

/** Events of one organization to move from one retention class to another; null deletes them. */
interface EventsToMove {
  organizationId: string;
  from: number;
  to: number | null;
  ids: readonly string[];
}

/**
 * Moves or deletes single events with their bodies and their counts, within a transaction: every snapshot finds each event with its
 * counts in exactly one class. Throws if a partition is missing.
 */
export async function moveEvents(
  client: pg.PoolClient,
  { organizationId, from, to, ids }: EventsToMove,
): Promise<void> {
  const own = [organizationId, from, ids];
  // Before they are counted: a redaction that is under way takes the caller's counts itself.
  await client.query(
    `SELECT FROM audit_events WHERE organization_id = $1 AND retention_days = $2 AND id = ANY($3::uuid[]) ORDER BY id FOR UPDATE`,
    own,
  );
  await count(client, organizationId, from, ids, -1);
  const deletion = (table: string) =>
    `DELETE FROM ${table} WHERE organization_id = $1 AND retention_days = $2 AND id = ANY($3::uuid[])`;
  if (to === null) {
    for (const table of ["audit_events", "audit_bodies"]) await client.query(deletion(table), own);
    return;
  }
  const kept = await move(client, "audit_events", deletion("audit_events"), own, to);
  await move(client, "audit_bodies", deletion("audit_bodies"), own, to);
  // A second copy, which the outbox delivered to the former class, was counted there and is not counted again.
  await count(client, organizationId, to, kept, 1);
}

/** Returns the ids of the rows that were not in the other class before. */
async function move(
  client: pg.PoolClient,
  table: string,
  deletion: string,
  values: readonly unknown[],
  to: number,
): Promise<string[]> {
  const { rows: columns } = await client.query<{ name: string }>(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
    [table],
  );
  const names = columns.map(({ name }) => name);
  const { rows } = await client.query<{ id: string }>(
    `WITH moved AS (${deletion} RETURNING *)
     INSERT INTO ${table} (${names.join(", ")})
     SELECT ${names.map((name) => (name === "retention_days" ? "$4::smallint" : name)).join(", ")} FROM moved
     ON CONFLICT DO NOTHING RETURNING id`,
    [...values, to],
  );
  return rows.map(({ id }) => id);
}

/** Adds the counts of these events to those of a class, or takes them from it. */
async function count(
  client: pg.PoolClient,
  organizationId: string,
  days: number,
  ids: readonly string[],
  sign: 1 | -1,
): Promise<void> {
  if (ids.length === 0) return;
  await client.query(
    `INSERT INTO audit_deltas (organization_id, id, retention_days, start, dimensions, "values", events, peaks)
     SELECT $1, gen_random_uuid(), $2, start, array_agg(dimension), array_agg(value), array_agg(events), array_agg(peak) FROM (
       SELECT date_trunc('hour', occurred_at, 'UTC') AS start, dimension, value, $4 * count(*) AS events,
         CASE WHEN $4 > 0 THEN max(peak) END AS peak
       FROM audit_events CROSS JOIN LATERAL (
         ${expansion(...COUNTED)} UNION ALL ${readExpansion(...COUNTED)} UNION ALL ${keyExpansion("flags")}
       ) AS counted
       WHERE organization_id = $1 AND retention_days = $2 AND id = ANY($3::uuid[]) GROUP BY 1, 2, 3
     ) AS hours GROUP BY start`,
    [organizationId, days, ids, sign],
  );
}
