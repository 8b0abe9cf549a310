import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type * as contract from "@/lib/notification-channels/contract";
import { readDelivery } from "@/lib/notification-channels/deliveries/delivery";

/** Sends a failed message again with the same id and a fresh set of attempts. Throws 403, 404, 409. */
export async function retryNotificationDelivery(
  principal: Principal,
  { id }: Input<typeof contract.retryNotificationDelivery>,
): Promise<Output<typeof contract.retryNotificationDelivery>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  await readDelivery(organizationId, id);
  await auditedTransaction(async (tx, event) => {
    const { count } = await tx.notificationDelivery.updateMany({
      where: { organizationId, id, status: "failed", channel: { enabled: true } },
      data: { status: "pending", attempts: 0, nextAttemptAt: new Date(), finishedAt: null },
    });
    if (count === 0) {
      throw new ApiError("CONFLICT", "Only a failed message of an enabled channel can be sent again.");
    }
    event.resource("notification_delivery", id);
  });
  return readDelivery(organizationId, id);
}
