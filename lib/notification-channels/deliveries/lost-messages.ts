import { queryIn, type Transaction } from "@/lib/db/app";
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

/** What a channel did not send since it last worked: the number of messages, and the alerts of which no other channel was notified since. */
export interface Lost {
  messages: number;
  alertIds: string[];
}

/** The messages of a channel that are lost, in the transaction that disables it. */
export async function readLost(
  tx: Transaction,
  { organizationId, id, lastSentAt }: Pick<Row, "organizationId" | "id" | "lastSentAt">,
): Promise<Lost> {
  const [lost] = await queryIn<{ messages: number; since: Date | null }>(tx, {
    text: `SELECT count(*)::integer AS messages, min(d.created_at) AS since FROM notification_deliveries d WHERE ${IS_LOST}`,
    values: [organizationId, id, lastSentAt],
  });
  const { messages = 0, since = null } = lost ?? {};
  if (since === null) return { messages, alertIds: [] };
  const rows = await queryIn<{ id: string }>(tx, {
    text: `WITH lost AS (
        SELECT alert_id, max(d.created_at) AS at FROM notification_deliveries d, unnest(d.alert_ids) AS alert_id WHERE ${IS_LOST} GROUP BY alert_id
      ),
      reached AS (
        SELECT alert_id, max(d.created_at) AS at FROM notification_deliveries d, unnest(d.alert_ids) AS alert_id
        WHERE d.organization_id = $1 AND d.id >= $4 AND d.channel_id <> $2 AND d.status <> 'failed' GROUP BY alert_id
      )
      SELECT lost.alert_id AS id FROM lost LEFT JOIN reached USING (alert_id)
      WHERE reached.at IS NULL OR reached.at < lost.at ORDER BY lost.alert_id LIMIT ${MAX_ALERTS}`,
    values: [organizationId, id, lastSentAt, idAt(since.getTime() - SAME_EVALUATION_MS)],
  });
  return { messages, alertIds: rows.map((row) => row.id) };
}
