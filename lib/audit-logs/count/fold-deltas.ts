import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { createDayPartitions, isPartitionMissing } from "@/lib/audit-logs/partitions/partitions";
import { auditPool } from "@/lib/db/audit";
import { idTime } from "@/lib/ids";

/** Deltas per step. The more, the more counts of the same value become one write. */
const BATCH_SIZE = 1_000;

/**
 * Moves deltas into the rollups in one statement, so that every snapshot counts each delta exactly once. Row locks lease the deltas,
 * and rollups are locked in key order, so that several workers can share the work.
 */
const fold = (due: string) => `
WITH folded AS (
  DELETE FROM audit_deltas WHERE (organization_id, id) IN (${due}) RETURNING *
), hours AS (
  SELECT organization_id, retention_days, start, dimension, value, sum(added.events) AS events, max(peak) AS peak
  FROM folded
  CROSS JOIN LATERAL unnest(dimensions, "values", folded.events, peaks) AS added (dimension, value, events, peak)
  GROUP BY 1, 2, 3, 4, 5
), upserted AS (
  INSERT INTO audit_rollups AS kept (organization_id, retention_days, start, grain, dimension, value, events, peak)
  SELECT organization_id, retention_days, date_trunc(grain, start, 'UTC'), grain, dimension, value, sum(events), max(peak)
  FROM hours CROSS JOIN (VALUES ('hour'), ('day')) AS grains (grain)
  WHERE grain = 'day' OR NOT starts_with(dimension, 'key_')
  GROUP BY 1, 2, 3, 4, 5, 6
  ORDER BY 1, 2, 4, 5, 3, 6
  ON CONFLICT (organization_id, retention_days, grain, dimension, start, value)
  DO UPDATE SET events = kept.events + excluded.events, peak = greatest(kept.peak, excluded.peak)
)
SELECT count(*)::integer AS count FROM folded`;

const SQL = fold(
  "SELECT organization_id, id FROM audit_deltas ORDER BY organization_id, start LIMIT $1 FOR UPDATE SKIP LOCKED",
);

/** Folds the deltas of the hour of an event, also those that another worker folds now: afterwards the rollups have all of its counts. */
export async function foldHour(client: pg.PoolClient, organizationId: string, eventId: string): Promise<void> {
  const due = `SELECT organization_id, id FROM audit_deltas
    WHERE organization_id = $1 AND start = date_trunc('hour', $2::timestamptz, 'UTC') ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE`;
  const at = new Date(idTime(eventId)).toISOString();
  for (let count = BATCH_SIZE; count === BATCH_SIZE; ) {
    const { rows } = await client.query<{ count: number }>(fold(due), [organizationId, at]);
    count = rows[0]?.count ?? 0;
  }
}

/** Worker job: folds new deltas into the rollups in steps, with a pause after each, because requests take precedence. */
export async function foldDeltas(signal?: AbortSignal): Promise<void> {
  for (let count = BATCH_SIZE; count === BATCH_SIZE && !signal?.aborted; ) {
    const began = performance.now();
    count = await foldSome();
    await delay(performance.now() - began);
  }
}

async function foldSome(): Promise<number> {
  try {
    const { rows } = await auditPool().query<{ count: number }>({
      name: "fold-deltas",
      text: SQL,
      values: [BATCH_SIZE],
    });
    return rows[0]?.count ?? 0;
  } catch (error) {
    if (!isPartitionMissing(error)) throw error;
    const { rows } = await auditPool().query<{ days: number; day: string }>(
      "SELECT DISTINCT retention_days AS days, to_char(start AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM audit_deltas",
    );
    for (const { days, day } of rows) await createDayPartitions(days, day);
    return foldSome();
  }
}
