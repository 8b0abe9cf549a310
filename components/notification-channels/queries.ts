"use client";

import { useEndpoint } from "@/components/layout/use-endpoint";

const contract = () => import("@/lib/notification-channels/contract");

/** Does not reload the page: the dialog still shows a secret and can test the channel. */
export const useCreateChannel = () => useEndpoint(async () => (await contract()).createNotificationChannel, false);
export const useUpdateChannel = () => useEndpoint(async () => (await contract()).updateNotificationChannel);
/** Does not reload the page, because the channel that it shows no longer exists. */
export const useDeleteChannel = () => useEndpoint(async () => (await contract()).deleteNotificationChannel, false);
export const useTestChannel = (refresh = true) =>
  useEndpoint(async () => (await contract()).testNotificationChannel, refresh);
export const useRotateSigningSecret = () => useEndpoint(async () => (await contract()).rotateSigningSecret, false);
export const useRetryDelivery = () => useEndpoint(async () => (await contract()).retryNotificationDelivery);
