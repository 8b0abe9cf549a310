import type { Transaction } from "@/lib/db/app";

/** Marks pending deliveries of a channel as failed, because it was disabled. */
export async function giveUpPending(
  tx: Transaction,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  await tx.notificationDelivery.updateMany({
    where: { organizationId, channelId: id, status: "pending" },
    data: { status: "failed", lastError: "its channel was disabled", finishedAt: new Date(), leasedUntil: null },
  });
}
