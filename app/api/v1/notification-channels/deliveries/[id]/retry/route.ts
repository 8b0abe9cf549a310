import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/notification-channels/contract";
import { retryNotificationDelivery } from "@/lib/notification-channels/deliveries/retry-delivery";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.retryNotificationDelivery, retryNotificationDelivery),
);
