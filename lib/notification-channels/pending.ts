import { queryIn, type Transaction } from "@/lib/db/app";

/** The key of a channel. */
interface ChannelKey {
  organizationId: string;
  id: string;
}

/** Marks pending deliveries of a channel as failed, because it was disabled. */
export async function giveUpPending(tx: Transaction, { organizationId, id }: ChannelKey): Promise<void> {
  await tx.notificationDelivery.updateMany({
    where: { organizationId, channelId: id, status: "pending" },
    data: { status: "failed", lastError: "its channel was disabled", finishedAt: new Date(), leasedUntil: null },
  });
}

/** Makes pending deliveries of a channel due, because a person may have repaired it. */
export async function makePendingDue(tx: Transaction, { organizationId, id }: ChannelKey): Promise<void> {
  await queryIn(tx, {
    text: `UPDATE notification_deliveries SET next_attempt_at = now()
      WHERE organization_id = $1 AND channel_id = $2 AND status = 'pending' AND leased_until IS NULL AND next_attempt_at > now()`,
    values: [organizationId, id],
  });
}
