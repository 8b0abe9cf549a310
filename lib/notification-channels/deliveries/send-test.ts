import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { config } from "@/lib/config";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { readChannelRow } from "@/lib/notification-channels/channel";
import type * as contract from "@/lib/notification-channels/contract";
import { attempt, LEASE_SECONDS } from "@/lib/notification-channels/deliveries/attempt";
import { readDelivery } from "@/lib/notification-channels/deliveries/delivery";
import { recordAttempts } from "@/lib/notification-channels/deliveries/record-attempts";
import type { Message } from "@/lib/notification-channels/providers/message";

/** Sends a test message once. A failure is a result, not an error. Disabled channels can be tested too. Throws 403, 404. */
export async function testNotificationChannel(
  principal: Principal,
  { id }: Input<typeof contract.testNotificationChannel>,
): Promise<Output<typeof contract.testNotificationChannel>> {
  requireAdmin(principal);
  const { organizationId, actor } = principal;
  const channel = await readChannelRow(organizationId, id);
  const now = new Date();
  const leasedUntil = new Date(now.getTime() + LEASE_SECONDS * 1000);
  const deliveryId = newId();
  const message = testMessage(channel, actor.name, deliveryId, now);
  await auditedTransaction(async (tx, event) => {
    event.resource("notification_channel", id);
    await tx.notificationDelivery.create({
      data: {
        organizationId,
        id: deliveryId,
        channelId: id,
        key: message.key,
        message: { ...message, items: [] },
        alertIds: [],
        attempts: 1,
        nextAttemptAt: now,
        leasedUntil,
        createdAt: now,
      },
    });
  });
  const leased = { organizationId, id: deliveryId, attempts: 1, leasedUntil, message, channel };
  await recordAttempts([{ leased, sent: await attempt(leased), at: new Date() }]);
  return readDelivery(organizationId, deliveryId);
}

function testMessage(channel: { id: string; name: string }, asker: string, id: string, now: Date): Message {
  return {
    kind: "test",
    state: "firing",
    severity: "info",
    title: `Message to ${channel.name}`,
    text: `${asker} sent this test message. If you can read it, the channel works.`,
    items: [],
    more: 0,
    url: `${config().PUBLIC_URL}/notification-channels/${channel.id}`,
    key: `test ${id}`,
    at: now.toISOString(),
  };
}
