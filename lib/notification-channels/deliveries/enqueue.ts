import type { Transaction } from "@/lib/db/app";
import { newId } from "@/lib/ids";
import type { Message } from "@/lib/notification-channels/providers/message";

/** A message for a channel. */
export interface Notification {
  channelId: string;
  message: Message;
  alertIds: string[];
}

/** Queues messages in the transaction of their cause, so that both commit or neither does. Returns their ids, in order. */
export async function enqueue(
  tx: Transaction,
  organizationId: string,
  told: readonly Notification[],
  now: Date,
): Promise<string[]> {
  const rows = told.map(({ channelId, message, alertIds }) => ({
    organizationId,
    id: newId(),
    channelId,
    key: message.key,
    message: JSON.parse(JSON.stringify(message)) as object,
    alertIds,
    nextAttemptAt: now,
    createdAt: now,
  }));
  if (rows.length > 0) await tx.notificationDelivery.createMany({ data: rows });
  return rows.map(({ id }) => id);
}
