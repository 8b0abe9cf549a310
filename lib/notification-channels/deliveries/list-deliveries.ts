import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { idAt, idTime } from "@/lib/ids";
import type * as contract from "@/lib/notification-channels/contract";
import { readDeliveries } from "@/lib/notification-channels/deliveries/delivery";
import { MINUTE_MS } from "@/lib/time/units";

/** How far the clocks of two processes may be apart. */
const CLOCKS_APART_MS = MINUTE_MS;

/** Messages with their status, newest first. */
export async function listNotificationDeliveries(
  { organizationId }: Principal,
  { limit, cursor, channel_id, status, alert_id }: Input<typeof contract.listNotificationDeliveries>,
): Promise<Output<typeof contract.listNotificationDeliveries>> {
  const filters = ["notification-channels/deliveries", channel_id, status, alert_id];
  const wanted = {
    before: decodeIdCursor(cursor, filters) ?? undefined,
    channelId: channel_id,
    status,
    alertId: alert_id,
    // Messages about an alert are younger than it. The older ones would be read in vain.
    since: alert_id && idAt(idTime(alert_id) - CLOCKS_APART_MS),
  };
  const rows = await readDeliveries(organizationId, wanted, limit + 1);
  return pageById(rows, limit, filters);
}
