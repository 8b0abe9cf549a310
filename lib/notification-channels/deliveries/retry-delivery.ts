import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { queryIn } from "@/lib/db/app";
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
    const retried = await queryIn(tx, {
      text: `UPDATE notification_deliveries d SET status = 'pending', attempts = 0, next_attempt_at = now(), finished_at = NULL
        FROM notification_channels c WHERE d.organization_id = $1 AND d.id = $2 AND d.status = 'failed'
          AND c.organization_id = d.organization_id AND c.id = d.channel_id AND c.enabled RETURNING d.id`,
      values: [organizationId, id],
    });
    if (retried.length === 0) {
      throw new ApiError("CONFLICT", "Only a failed message of an enabled channel can be sent again.");
    }
    event.resource("notification_delivery", id);
  });
  return readDelivery(organizationId, id);
}
