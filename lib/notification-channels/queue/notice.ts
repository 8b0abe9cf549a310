import type { Transaction } from "@/lib/db/app";
import type { Message } from "@/lib/notification-channels/providers/message";
import { enqueue } from "@/lib/notification-channels/queue/enqueue";

/** A message about Sealwatch's own work, such as a disabled channel. */
export type Notice = Pick<Message, "title" | "text" | "url" | "key">;

/** The key of notices about a channel. */
export const channelKey = (id: string) => `channel ${id}`;

/** A notice as a message. */
export function toMessage(notice: Notice, state: Message["state"], now: Date): Message {
  const severity = state === "firing" ? "warning" : "info";
  return { kind: "notice", state, severity, ...notice, items: [], more: 0, at: now.toISOString() };
}

/**
 * Queues the end of what an earlier notice with the same key was about, in the transaction of its cause, for the channels whose providers
 * track incidents. They ignore an end that has no beginning.
 */
export async function resolveNotice(tx: Transaction, organizationId: string, notice: Notice, now: Date): Promise<void> {
  const channels = await tx.notificationChannel.findMany({
    where: { organizationId, enabled: true, type: "pagerduty" },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  const message = toMessage(notice, "resolved", now);
  const notifications = channels.map(({ id }) => ({ channelId: id, message, alertIds: [] }));
  await enqueue(tx, organizationId, notifications, now);
}
