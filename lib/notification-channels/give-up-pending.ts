import type { Transaction } from "@/lib/db/app";

/** Marks pending deliveries of a channel as failed. */
export async function giveUpPending(
  tx: Transaction,
  { organizationId, id }: { organizationId: string; id: string },
  reason: string,
): Promise<void> {
  await tx.notificationDelivery.updateMany({
    where: { organizationId, channelId: id, status: "pending" },
    data: { status: "failed", lastError: reason, finishedAt: new Date(), leasedUntil: null },
  });
}
