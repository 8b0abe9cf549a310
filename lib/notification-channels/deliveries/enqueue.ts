import type { Transaction } from "@/lib/db/app";
import { newId } from "@/lib/ids";
import { organizationOf } from "@/lib/notification-channels/deliveries/organization-of";
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
  if (told.length === 0) return [];
  const organization = await organizationOf(organizationId, tx);
  const rows = told.map(({ channelId, message, alertIds }) => ({
    organizationId,
    id: newId(),
    channelId,
    key: message.key,
    message: JSON.parse(JSON.stringify({ ...message, organization })) as object,
    alertIds,
    nextAttemptAt: now,
    createdAt: now,
  }));
  await tx.notificationDelivery.createMany({ data: rows });
  return rows.map(({ id }) => id);
}
