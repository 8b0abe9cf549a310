import { config } from "@/lib/config";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { readChannelRow } from "@/lib/notification-channels/channel";
import type * as contract from "@/lib/notification-channels/contract";
import { sendTests } from "@/lib/notification-channels/deliveries/send-tests";

/** Sends a test message once. A failure is a result, not an error. Disabled channels can be tested too. Throws 403, 404, 503. */
export async function testNotificationChannel(
  principal: Principal,
  { id }: Input<typeof contract.testNotificationChannel>,
): Promise<Output<typeof contract.testNotificationChannel>> {
  requireAdmin(principal);
  const { organizationId, actor } = principal;
  const channel = await readChannelRow(organizationId, id);
  const message = {
    channel,
    title: `Message to ${channel.name}`,
    text: `${actor.name} sent this test message. If you can read it, the channel works.`,
    url: `${config().PUBLIC_URL}/notification-channels/${id}`,
  };
  const [delivery] = await sendTests(organizationId, [message], (event) => event.resource("notification_channel", id));
  if (delivery === undefined) throw notFound();
  return delivery;
}
