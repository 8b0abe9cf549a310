import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { recordedChannel, toNotificationChannel } from "@/lib/notification-channels/channel";
import type * as contract from "@/lib/notification-channels/contract";
import { lockChannel, resolveDisabling } from "@/lib/notification-channels/update";

/** Deletes a channel that no rule uses, with its deliveries. Throws 403, 404, 409. */
export async function deleteNotificationChannel(
  principal: Principal,
  { id }: Input<typeof contract.deleteNotificationChannel>,
): Promise<Output<typeof contract.deleteNotificationChannel>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  return auditedTransaction(async (tx, event) => {
    const last = await lockChannel(tx, organizationId, id);
    const named = JSON.stringify([{ channel_ids: [id] }]);
    const rules = await tx.$queryRaw<{ name: string }[]>`
      SELECT name FROM alert_rules WHERE organization_id = ${organizationId}::uuid AND steps @> ${named}::jsonb ORDER BY name`;
    if (rules.length > 0) {
      const names = rules.map(({ name }) => name).join(", ");
      throw new ApiError("CONFLICT", `Alert rules use this channel: ${names}.`);
    }
    const { count } = await tx.notificationChannel.deleteMany({ where: { organizationId, id } });
    if (count === 0) throw notFound();
    if (!last.enabled) await resolveDisabling(tx, last, "deleted", new Date());
    event.resource("notification_channel", id);
    recordChanges(event, last.name, recordedChannel(last), null);
    return toNotificationChannel(last);
  });
}
