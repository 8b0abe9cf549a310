import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/notification-channels/contract";
import { deleteNotificationChannel } from "@/lib/notification-channels/delete";
import { getNotificationChannel } from "@/lib/notification-channels/get";
import { updateNotificationChannel } from "@/lib/notification-channels/update";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.getNotificationChannel, getNotificationChannel),
  door(contract.updateNotificationChannel, updateNotificationChannel),
  door(contract.deleteNotificationChannel, deleteNotificationChannel),
);
