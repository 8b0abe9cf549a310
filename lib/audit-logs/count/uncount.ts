import type pg from "pg";
import { expansion, keyExpansion, readDimension, readExpansion } from "@/lib/audit-logs/count/dimensions";
import { foldHour } from "@/lib/audit-logs/count/fold-deltas";
import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import { latencyBucketSql } from "@/lib/histogram";
import { idTime } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

const OF_CALLER = ["api_key", "ip", "country"] as const;
const DIMENSIONS = [...OF_CALLER, ...OF_CALLER.map(readDimension)].map((name) => `'${name}'`).join(", ");
const COUNTED = ["flags", latencyBucketSql("response_time_us"), "tokens"] as const;

/** What an event added to the counts by key, address and country, by hour and day. */
const ADDED = `
SELECT grain, dimension, value, date_trunc(grain, occurred_at, 'UTC') AS start
FROM audit_events e CROSS JOIN LATERAL (
  ${expansion(...COUNTED)} UNION ALL ${readExpansion(...COUNTED)} UNION ALL ${keyExpansion("flags")}
) AS counted CROSS JOIN (VALUES ('hour'), ('day')) AS grains (grain)
WHERE e.organization_id = $1 AND e.retention_days = ANY($3::smallint[]) AND e.id = $2
  AND (dimension IN (${DIMENSIONS}) OR starts_with(dimension, 'key_') AND grain = 'day')
ORDER BY grain, dimension, start, value`;

/** The same counts as parameters. */
const ADDED_COUNTS =
  "unnest($5::text[], $6::text[], $7::text[], $8::timestamptz[]) AS added (grain, dimension, value, start)";

/** SQL: whether a row `r` of the rollups has the count. The classes and the day are values: rows of other days are not looked for. */
const IS_ADDED = `r.organization_id = $1 AND r.retention_days = ANY($2::smallint[]) AND r.start >= $3 AND r.start < $4
  AND r.grain = added.grain AND r.dimension = added.dimension AND r.value = added.value AND r.start = added.start`;

interface Added {
  grain: string;
  dimension: string;
  value: string;
  start: Date;
}

/**
 * Takes an event out of the counts by key, address and country, and deletes those that become zero. The event must be locked and still
 * have its caller. Its counts may be in another retention class than the event for a moment.
 */
export async function uncount(client: pg.PoolClient, organizationId: string, id: string): Promise<void> {
  const { rows } = await client.query<Added>(ADDED, [organizationId, id, CLASSES]);
  if (rows.length === 0) return;
  await foldHour(client, organizationId, id);
  const day = idTime(id) - (idTime(id) % DAY_MS);
  const parameters = [
    organizationId,
    CLASSES,
    new Date(day).toISOString(),
    new Date(day + DAY_MS).toISOString(),
    rows.map(({ grain }) => grain),
    rows.map(({ dimension }) => dimension),
    rows.map(({ value }) => value),
    rows.map(({ start }) => start.toISOString()),
  ];
  const { rows: events } = await client.query<{ retention_days: number }>(
    "SELECT retention_days FROM audit_events WHERE organization_id = $1 AND retention_days = ANY($3::smallint[]) AND id = $2",
    [organizationId, id, CLASSES],
  );
  await client.query(
    `WITH counts AS (
       SELECT DISTINCT ON (added.grain, added.dimension, added.value) retention_days, added.*
       FROM ${ADDED_COUNTS} JOIN audit_rollups r ON ${IS_ADDED}
       ORDER BY added.grain, added.dimension, added.value, r.retention_days = $9 AND r.events > 0 DESC, r.events DESC
     )
     UPDATE audit_rollups r SET events = r.events - 1 FROM counts added
     WHERE ${IS_ADDED} AND r.retention_days = added.retention_days`,
    [...parameters, events[0]?.retention_days ?? null],
  );
  await client.query(
    `DELETE FROM audit_rollups r USING ${ADDED_COUNTS} WHERE ${IS_ADDED} AND r.events <= 0`,
    parameters,
  );
}
