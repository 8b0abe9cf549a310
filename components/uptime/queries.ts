"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { Endpoint, Item } from "@/lib/http/endpoint";
import type * as contract from "@/lib/uptime/contract";

type Contract = typeof contract;
type Sent<E extends { types: { sent: unknown } }> = E["types"]["sent"];

/** Calls one of the group's endpoints. The contract carries validation code, so it is loaded with the first change. */
function useCall<Name extends keyof Contract>(name: Name, refresh = true) {
  type E = Extract<Contract[Name], Endpoint & { types: { input: unknown; sent: unknown; item: unknown } }>;
  const router = useRouter();
  return useMutation({
    mutationFn: async (sent: Sent<E>): Promise<Item<E>> => {
      const [{ call }, all] = await Promise.all([import("@/lib/http/client"), import("@/lib/uptime/contract")]);
      const answer = await call(all[name] as never, sent as never);
      return (answer as { data: Item<E> }).data;
    },
    // The page below shows the new state.
    onSuccess: () => refresh && router.refresh(),
  });
}

export const useCreateMonitor = () => useCall("createMonitor");
export const useUpdateMonitor = () => useCall("updateMonitor");
/** Does not refresh the page, whose subject is gone. */
export const useDeleteMonitor = () => useCall("deleteMonitor", false);
export const useCheckMonitor = () => useCall("checkMonitor");
export const useUpdateIncident = () => useCall("updateIncident");
export const useCreateMaintenanceWindow = () => useCall("createMaintenanceWindow");
export const useUpdateMaintenanceWindow = () => useCall("updateMaintenanceWindow");
export const useDeleteMaintenanceWindow = () => useCall("deleteMaintenanceWindow");
