"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { Endpoint, Item } from "@/lib/http/endpoint";
import type * as contract from "@/lib/notification-channels/contract";

type Contract = typeof contract;
type Sent<E extends { types: { sent: unknown } }> = E["types"]["sent"];

/** Calls one of the group's endpoints. The contract carries validation code, so it is loaded with the first change. */
function useCall<Name extends keyof Contract>(name: Name, refresh = true) {
  type E = Extract<Contract[Name], Endpoint & { types: { input: unknown; sent: unknown; item: unknown } }>;
  const router = useRouter();
  return useMutation({
    mutationFn: async (sent: Sent<E>): Promise<Item<E>> => {
      const [{ call }, all] = await Promise.all([
        import("@/lib/http/client"),
        import("@/lib/notification-channels/contract"),
      ]);
      const answer = await call(all[name] as never, sent as never);
      return (answer as { data: Item<E> }).data;
    },
    // The page below shows the new state.
    onSuccess: () => refresh && router.refresh(),
  });
}

/** Does not refresh the page: the dialog still shows a secret and can test the channel. */
export const useCreateChannel = () => useCall("createNotificationChannel", false);
export const useUpdateChannel = () => useCall("updateNotificationChannel");
/** Does not refresh the page, whose subject is gone. */
export const useDeleteChannel = () => useCall("deleteNotificationChannel", false);
export const useTestChannel = (refresh = true) => useCall("testNotificationChannel", refresh);
export const useRotateSigningSecret = () => useCall("rotateSigningSecret", false);
export const useRetryDelivery = () => useCall("retryNotificationDelivery");
