import { config } from "@/lib/config";
import type { Transaction } from "@/lib/db/app";
import { enqueue } from "@/lib/notification-channels/queue/enqueue";
import { type Notice, resolveNotice, toMessage } from "@/lib/notification-channels/queue/notice";

const MAX_CHANNELS = 20;

interface Place {
  organizationId: string;
  id: string;
}

type Words = Pick<Notice, "title" | "text">;

/** Queues the notice that a destination was paused for the organization's channels, in the transaction of its cause. */
export async function notifyOfPausing(tx: Transaction, place: Place, now: Date, words: Words): Promise<void> {
  await notify(tx, place, now, { ...words, ...about(place) });
}

/** Ends at providers that track incidents what `notifyOfPausing` began, because a person resumed or deleted the destination. */
export async function resolvePausing(
  tx: Transaction,
  { name, ...place }: Place & { name: string },
  what: "resumed" | "deleted",
  now: Date,
): Promise<void> {
  const title =
    what === "resumed" ? `Sending the audit log to ${name} was resumed` : `The destination ${name} was deleted`;
  await resolveNotice(tx, place.organizationId, { title, text: "", ...about(place) }, now);
}

/** Queues the notice that events expired before they reached a destination. Its incident ends at once: nothing brings them back. */
export async function notifyOfExpiry(tx: Transaction, place: Place, now: Date, words: Words): Promise<void> {
  const { url, key } = about(place);
  const notice = { ...words, url, key: `${key} expired ${now.toISOString()}` };
  await notify(tx, place, now, notice);
  await resolveNotice(tx, place.organizationId, notice, now);
}

async function notify(tx: Transaction, { organizationId }: Place, now: Date, notice: Notice): Promise<void> {
  const channels = await tx.notificationChannel.findMany({
    where: { organizationId, enabled: true },
    orderBy: { id: "asc" },
    take: MAX_CHANNELS,
    select: { id: true },
  });
  const message = toMessage(notice, "firing", now);
  const notifications = channels.map((channel) => ({ channelId: channel.id, message, alertIds: [] }));
  await enqueue(tx, organizationId, notifications, now);
}

const about = ({ id }: Place) => ({ url: `${config().PUBLIC_URL}/destinations/${id}`, key: `destination ${id}` });
