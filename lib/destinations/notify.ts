import { config } from "@/lib/config";
import type { Transaction } from "@/lib/db/app";
import { enqueue } from "@/lib/notification-channels/queue/enqueue";
import { type Notice, resolveNotice, toMessage } from "@/lib/notification-channels/queue/notice";

const MAX_CHANNELS = 20;

interface Place {
  organizationId: string;
  id: string;
}

/** Queues a notice about a destination for the organization's channels, in the transaction of its cause. */
export async function notifyOfDestination(
  tx: Transaction,
  { organizationId, id }: Place,
  now: Date,
  words: Pick<Notice, "title" | "text">,
): Promise<void> {
  const channels = await tx.notificationChannel.findMany({
    where: { organizationId, enabled: true },
    orderBy: { id: "asc" },
    take: MAX_CHANNELS,
    select: { id: true },
  });
  const message = toMessage({ ...words, ...about(id) }, "firing", now);
  const told = channels.map((channel) => ({ channelId: channel.id, message, alertIds: [] }));
  await enqueue(tx, organizationId, told, now);
}

/** Ends at providers that track incidents what notices about a destination began, because a person resumed it. */
export async function resolveNoticesOfDestination(
  tx: Transaction,
  { organizationId, id, name }: Place & { name: string },
  now: Date,
): Promise<void> {
  const words = {
    title: `Sending the audit log to ${name} was resumed`,
    text: "Events are sent again from where it stopped.",
  };
  await resolveNotice(tx, organizationId, { ...words, ...about(id) }, now);
}

const about = (id: string) => ({ url: `${config().PUBLIC_URL}/destinations/${id}`, key: `destination ${id}` });
