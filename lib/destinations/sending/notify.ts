import { config } from "@/lib/config";
import type { Transaction } from "@/lib/db/app";
import { enqueue } from "@/lib/notification-channels/deliveries/enqueue";
import type { Message } from "@/lib/notification-channels/providers/message";

const MAX_CHANNELS = 20;

/** Queues a notice about a destination for the organization's channels, in the transaction of its cause. */
export async function notifyOfDestination(
  tx: Transaction,
  { organizationId, id }: { organizationId: string; id: string },
  now: Date,
  { title, text }: Pick<Message, "title" | "text">,
): Promise<void> {
  const channels = await tx.notificationChannel.findMany({
    where: { organizationId, enabled: true },
    orderBy: { id: "asc" },
    take: MAX_CHANNELS,
    select: { id: true },
  });
  const message: Message = {
    ...{ kind: "notice", state: "firing", severity: "warning", title, text, items: [], more: 0 },
    ...{ url: `${config().PUBLIC_URL}/destinations/${id}`, key: `destination ${id}`, at: now.toISOString() },
  };
  const told = channels.map((channel) => ({ channelId: channel.id, message, alertIds: [] }));
  await enqueue(tx, organizationId, told, now);
}
