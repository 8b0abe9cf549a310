import { storableJson } from "@/lib/audit-logs/storable";
import { queryIn, type Transaction } from "@/lib/db/app";
import { newId } from "@/lib/ids";
import type { Message } from "@/lib/notification-channels/providers/message";
import { organizationOf } from "@/lib/notification-channels/queue/organization-of";

/** Providers that track incidents get a message for each, and a problem of many resources has as many. */
const INSERT_BATCH_SIZE = 500;

/** A message for a channel. */
export interface Notification {
  channelId: string;
  message: Message;
  alertIds: string[];
}

/** Queues messages of `now` in the transaction of their cause, so that both commit or neither does. Returns their ids, in order. */
export async function enqueue(
  tx: Transaction,
  organizationId: string,
  notifications: readonly Notification[],
  now: Date,
): Promise<string[]> {
  if (notifications.length === 0) return [];
  const organization = await organizationOf(organizationId, tx);
  const rows = notifications.map(({ channelId, message, alertIds }) => {
    return {
      id: newId(),
      channel: channelId,
      key: message.key,
      message: { ...message, organization },
      alerts: alertIds,
    };
  });
  for (let from = 0; from < rows.length; from += INSERT_BATCH_SIZE) {
    await queryIn(tx, {
      text: `INSERT INTO notification_deliveries (organization_id, next_attempt_at, created_at, id, channel_id, key, message, alert_ids)
  SELECT $1::uuid, now(), $2, new.* FROM jsonb_to_recordset($3::jsonb) AS new (id uuid, channel uuid, key text, message jsonb, alerts uuid[])`,
      values: [organizationId, now, storableJson(rows.slice(from, from + INSERT_BATCH_SIZE))],
    });
  }
  return rows.map(({ id }) => id);
}
