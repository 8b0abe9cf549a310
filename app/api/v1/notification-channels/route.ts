import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/notification-channels/contract";
import { createNotificationChannel } from "@/lib/notification-channels/create";
import { listNotificationChannels } from "@/lib/notification-channels/list";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listNotificationChannels, listNotificationChannels),
  handle(contract.createNotificationChannel, createNotificationChannel),
);
