import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { requireRoom } from "@/lib/billing/plan-limits";
import type { Input, Output } from "@/lib/http/endpoint";
import { refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import {
  recordedChannel,
  requireMailServer,
  SAME_NAME,
  settingsColumns,
  toNotificationChannel,
} from "@/lib/notification-channels/channel";
import type * as contract from "@/lib/notification-channels/contract";
import { newSigningSecret } from "@/lib/notification-channels/providers/webhook";

/** Creates a channel. Returns a webhook's signing secret, which is never shown again. Throws 400, 402, 403, 409. */
export async function createNotificationChannel(
  principal: Principal,
  { type, name, settings }: Input<typeof contract.createNotificationChannel>,
): Promise<Output<typeof contract.createNotificationChannel>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  requireMailServer(type, settings);
  const place = { organizationId, id: newId() };
  const signingSecret = type === "webhook" ? newSigningSecret() : null;
  const signing = signingSecret === null ? [] : [{ secret: signingSecret, until: null }];
  const now = new Date();
  const row = await refuseDuplicate(
    SAME_NAME,
    auditedTransaction(async (tx, event) => {
      await requireRoom(tx, organizationId, "notification_channels", 1);
      event.resource("notification_channel", place.id);
      const columns = settingsColumns(place, type, settings, signing);
      const made = await tx.notificationChannel.create({
        data: { ...place, name, type, ...columns, createdAt: now, updatedAt: now },
      });
      recordChanges(event, name, null, recordedChannel(made));
      return made;
    }),
  );
  return { ...toNotificationChannel(row), signing_secret: signingSecret };
}
