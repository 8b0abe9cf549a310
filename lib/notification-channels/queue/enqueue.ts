import { storableJson } from "@/lib/audit-logs/storable";
import { queryIn, type Transaction } from "@/lib/db/app";
import { newId } from "@/lib/ids";
import type { Message } from "@/lib/notification-channels/providers/message";
import { organizationOf } from "@/lib/notification-channels/queue/organization-of";

/**
 * What one statement inserts: providers that track incidents get a message for each, and a problem of many resources has as many, or is one
 * message about as many for each channel.
 */
const BATCH = { messages: 500, alerts: 100_000 };

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
  for (const batch of batchesOf(rows)) {
    await queryIn(tx, {
      text: `INSERT INTO notification_deliveries (organization_id, next_attempt_at, created_at, id, channel_id, key, message, alert_ids)
  SELECT $1::uuid, now(), $2, new.* FROM jsonb_to_recordset($3::jsonb) AS new (id uuid, channel uuid, key text, message jsonb, alerts uuid[])`,
      values: [organizationId, now, storableJson(batch)],
    });
  }
  return rows.map(({ id }) => id);
}

/** Rows in order, divided so that each batch has a limited number of messages and of alerts. A message alone may have more. */
export function batchesOf<Row extends { alerts: readonly string[] }>(rows: readonly Row[]): Row[][] {
  const batches: Row[][] = [];
  let last: Row[] = [];
  let alerts = 0;
  for (const row of rows) {
    alerts += row.alerts.length;
    if (last.length === 0 || last.length >= BATCH.messages || alerts > BATCH.alerts) {
      last = [];
      alerts = row.alerts.length;
      batches.push(last);
    }
    last.push(row);
  }
  return batches;
}
