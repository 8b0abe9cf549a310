import { pool, queryIn, type Transaction } from "@/lib/db/app";
import type { NotificationChannel as Row } from "@/lib/db/generated/app/client";
import { idAt } from "@/lib/ids";
import { MINUTE_MS } from "@/lib/time/units";

/** Maximum number of alerts of lost messages. */
const MAX_ALERTS = 100_000;
/** Messages of one evaluation have ids at most this much apart. */
const SAME_EVALUATION_MS = MINUTE_MS;

/** A condition on the deliveries `d` that a channel ($1, $2) gave up since its last success ($3). */
const IS_LOST = `d.organization_id = $1 AND d.channel_id = $2 AND d.status = 'failed' AND d.finished_at > coalesce($3::timestamptz, '-infinity')
  AND d.message->>'kind' <> 'test'`;

type Channel = Pick<Row, "organizationId" | "id" | "lastSentAt">;

/** The number of messages that a channel did not send since it last worked. */
export async function countLost(tx: Transaction, { organizationId, id, lastSentAt }: Channel): Promise<number> {
  const [lost] = await queryIn<{ messages: number }>(tx, {
    text: `SELECT count(*)::integer AS messages FROM notification_deliveries d WHERE ${IS_LOST}`,
    values: [organizationId, id, lastSentAt],
  });
  return lost?.messages ?? 0;
}

/** The alerts of these messages of which no other channel was notified since. */
export async function readLostAlerts({ organizationId, id, lastSentAt }: Channel): Promise<string[]> {
  const found = await pool().query<{ since: Date | null }>(
    `SELECT min(d.created_at) AS since FROM notification_deliveries d WHERE ${IS_LOST}`,
    [organizationId, id, lastSentAt],
  );
  const since = found.rows[0]?.since ?? null;
  if (since === null) return [];
  const { rows } = await pool().query<{ id: string }>(
    `WITH lost AS (
        SELECT alert_id, max(d.created_at) AS at FROM notification_deliveries d, unnest(d.alert_ids) AS alert_id WHERE ${IS_LOST} GROUP BY alert_id
      ),
      reached AS (
        SELECT alert_id, max(d.created_at) AS at FROM notification_deliveries d, unnest(d.alert_ids) AS alert_id
        WHERE d.organization_id = $1 AND d.id >= $4 AND d.channel_id <> $2 AND d.status <> 'failed' GROUP BY alert_id
      )
      SELECT lost.alert_id AS id FROM lost LEFT JOIN reached USING (alert_id)
      WHERE reached.at IS NULL OR reached.at < lost.at ORDER BY lost.alert_id LIMIT ${MAX_ALERTS}`,
    [organizationId, id, lastSentAt, idAt(since.getTime() - SAME_EVALUATION_MS)],
  );
  return rows.map((row) => row.id);
}
