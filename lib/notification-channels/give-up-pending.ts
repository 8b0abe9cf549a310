import type { Transaction } from "@/lib/db/app";

/** Ends what waits to be sent by a channel that sends no more. */
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
