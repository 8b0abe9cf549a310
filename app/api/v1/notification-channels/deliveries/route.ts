import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/notification-channels/contract";
import { listNotificationDeliveries } from "@/lib/notification-channels/deliveries/list-deliveries";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listNotificationDeliveries, listNotificationDeliveries),
);
