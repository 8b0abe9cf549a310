import type { Input, Output } from "@/lib/api/endpoint";
import { change } from "@/lib/audit-logs/change";
import { type Principal, requireAdmin } from "@/lib/auth/principal";
import type { Transaction } from "@/lib/db/app";
import type { NotificationChannel as Row } from "@/lib/db/generated/app/client";
import {
  openSecrets,
  parseSettings,
  readChannelRow,
  refuseSameChannelName,
  requireMailServer,
  settingsColumns,
  toNotificationChannel,
} from "@/lib/notification-channels/channel";
import type * as contract from "@/lib/notification-channels/contract";
import { giveUpPending } from "@/lib/notification-channels/give-up-pending";
import type { ChannelType } from "@/lib/notification-channels/types";

/** Changes what is given. Disabling gives up what waits to be sent; enabling forgets former failures. Throws 400, 403, 404, 409. */
export async function updateNotificationChannel(
  principal: Principal,
  { id, name, enabled, settings }: Input<typeof contract.updateNotificationChannel>,
): Promise<Output<typeof contract.updateNotificationChannel>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const row = await refuseSameChannelName(
    change(async (tx, event) => {
      const before = await lockChannel(tx, organizationId, id);
      event.resource("notification_channel", id);
      if (enabled === false) await giveUpPending(tx, before, "its channel was disabled");
      return tx.notificationChannel.update({
        where: { organizationId_id: { organizationId, id } },
        data: {
          ...(name !== undefined && { name }),
          ...(settings !== undefined && changedSettings(before, settings)),
          ...(enabled !== undefined && { enabled, disabledReason: null, failures: 0 }),
          updatedAt: new Date(),
        },
      });
    }),
  );
  return toNotificationChannel(row);
}

/** Settings are merged from what is there, so two changes at once must come one after the other. Throws 404. */
export async function lockChannel(tx: Transaction, organizationId: string, id: string): Promise<Row> {
  await tx.$queryRaw`SELECT id FROM notification_channels
    WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return readChannelRow(organizationId, id, tx);
}

function changedSettings(before: Row, given: Record<string, unknown>) {
  const type = before.type as ChannelType;
  const { fields, signing } = openSecrets(before);
  const settings = parseSettings(type, { ...(before.settings as object), ...fields, ...given });
  requireMailServer(type, settings);
  return settingsColumns(before, type, settings, signing);
}
