import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { toNotificationChannel } from "@/lib/notification-channels/channel";
import type * as contract from "@/lib/notification-channels/contract";

const FILTERS = "notification-channels";

/** The organization's channels, newest first. */
export async function listNotificationChannels(
  { organizationId }: Principal,
  { limit, cursor }: Input<typeof contract.listNotificationChannels>,
): Promise<Output<typeof contract.listNotificationChannels>> {
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().notificationChannel.findMany({
    where: { organizationId, ...(after !== null && { id: { lt: after } }) },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, FILTERS);
  return { items: items.map(toNotificationChannel), nextCursor };
}
