import { notifyOfUntold } from "@/lib/alerts/unsent/notify-again";
import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/notification-channels/contract";
import { deleteNotificationChannel } from "@/lib/notification-channels/delete";
import { getNotificationChannel } from "@/lib/notification-channels/get";
import { updateNotificationChannel } from "@/lib/notification-channels/update";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getNotificationChannel, getNotificationChannel),
  handle(contract.updateNotificationChannel, (principal, input) =>
    updateNotificationChannel(principal, input, notifyOfUntold),
  ),
  handle(contract.deleteNotificationChannel, deleteNotificationChannel),
);
