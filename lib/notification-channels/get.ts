import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { readChannelRow, toNotificationChannel } from "@/lib/notification-channels/channel";
import type * as contract from "@/lib/notification-channels/contract";

/** One channel. Throws 404. */
export async function getNotificationChannel(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getNotificationChannel>,
): Promise<Output<typeof contract.getNotificationChannel>> {
  return toNotificationChannel(await readChannelRow(organizationId, id));
}
