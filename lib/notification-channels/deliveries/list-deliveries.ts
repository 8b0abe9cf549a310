import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/notification-channels/contract";
import { deliveryRelations, toNotificationDelivery } from "@/lib/notification-channels/deliveries/delivery";

/** Messages with their status, newest first. */
export async function listNotificationDeliveries(
  { organizationId }: Principal,
  { limit, cursor, channel_id, status, alert_id }: Input<typeof contract.listNotificationDeliveries>,
): Promise<Output<typeof contract.listNotificationDeliveries>> {
  const filters = ["notification-channels/deliveries", channel_id, status, alert_id];
  const after = decodeIdCursor(cursor, filters);
  const rows = await db().notificationDelivery.findMany({
    where: {
      organizationId,
      ...(after !== null && { id: { lt: after } }),
      ...(channel_id !== undefined && { channelId: channel_id }),
      ...(status !== undefined && { status }),
      ...(alert_id !== undefined && { alertIds: { has: alert_id } }),
    },
    include: deliveryRelations,
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, filters);
  return { items: items.map(toNotificationDelivery), nextCursor };
}
