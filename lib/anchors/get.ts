import type { Anchors, anchorChannelTypes, getAnchors as contract } from "@/lib/anchors/contract";
import { db, type Transaction } from "@/lib/db/app";
import type { Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { stateOf } from "@/lib/notification-channels/channel";
import type { DeliveryStatus } from "@/lib/notification-channels/contract";

type Reader = Pick<Transaction, "anchorChannel" | "notificationDelivery">;

/** The channels that receive checkpoints, with the last checkpoint sent to each. */
export async function getAnchors({ organizationId }: Principal): Promise<Output<typeof contract>> {
  return readAnchors(organizationId);
}

/** Like `getAnchors`, within a transaction. */
export async function readAnchors(organizationId: string, tx: Reader = db()): Promise<Anchors> {
  const rows = await tx.anchorChannel.findMany({
    where: { organizationId },
    include: { channel: true },
    orderBy: { channel: { name: "asc" } },
  });
  const deliveries = await tx.notificationDelivery.findMany({
    where: { organizationId, id: { in: rows.flatMap(({ deliveryId }) => deliveryId ?? []) } },
    select: { id: true, status: true },
  });
  const statusOf = new Map(deliveries.map(({ id, status }) => [id, status as DeliveryStatus]));
  return {
    channels: rows.map(({ channel, nextAt, sentEpoch, sentSize, sentAt, deliveryId }) => ({
      id: channel.id,
      name: channel.name,
      type: channel.type as (typeof anchorChannelTypes)[number],
      state: stateOf(channel),
      last_sent:
        sentEpoch === null || sentSize === null || sentAt === null
          ? null
          : {
              epoch: sentEpoch,
              size: Number(sentSize),
              at: sentAt.toISOString(),
              status: statusOf.get(deliveryId ?? "") ?? null,
            },
      next_at: nextAt.toISOString(),
    })),
  };
}
