import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/notification-channels/contract";
import { testNotificationChannel } from "@/lib/notification-channels/deliveries/send-test";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.testNotificationChannel, testNotificationChannel),
);
