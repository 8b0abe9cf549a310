import { db } from "@/lib/db/app";
import type { NotificationDelivery as Row } from "@/lib/db/generated/app/client";
import { notFound } from "@/lib/http/errors";
import type { DeliveryStatus, NotificationDelivery } from "@/lib/notification-channels/contract";
import type { Message } from "@/lib/notification-channels/providers/message";
import type { ChannelType } from "@/lib/notification-channels/providers/types";

type DeliveryRow = Row & { channel: { id: string; name: string; type: string } };

/** The relations of a delivery's shape, for Prisma. */
export const deliveryRelations = { channel: { select: { id: true, name: true, type: true } } } as const;

/** A delivery as the contract shows it. */
export function toNotificationDelivery(row: DeliveryRow): NotificationDelivery {
  const { kind, title } = row.message as unknown as Message;
  const { id, name, type } = row.channel;
  return {
    id: row.id,
    channel: { id, name, type: type as ChannelType },
    kind,
    title,
    alert_ids: row.alertIds,
    status: row.status as DeliveryStatus,
    attempts: row.attempts,
    next_attempt_at: row.status === "pending" ? row.nextAttemptAt.toISOString() : null,
    error: row.lastError,
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  };
}

/** One delivery of the organization. Throws 404. */
export async function readDelivery(organizationId: string, id: string): Promise<NotificationDelivery> {
  const where = { organizationId_id: { organizationId, id } };
  const row = await db().notificationDelivery.findUnique({ where, include: deliveryRelations });
  if (row === null) throw notFound();
  return toNotificationDelivery(row);
}
