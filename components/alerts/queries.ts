"use client";

import { useMutation } from "@tanstack/react-query";
import { callEndpoint } from "@/components/layout/use-endpoint";
import type * as contract from "@/lib/alerts/contract";

/** A person's action on an alert, as the API takes it. */
export type Act =
  | { act: "acknowledgeAlert"; sent: (typeof contract.acknowledgeAlert)["types"]["sent"] }
  | { act: "snoozeAlert"; sent: (typeof contract.snoozeAlert)["types"]["sent"] }
  | { act: "resolveAlert"; sent: (typeof contract.resolveAlert)["types"]["sent"] };

/** An action on several alerts, without their ids. */
export type SentAct = Omit<(typeof contract.bulkActOnAlerts)["types"]["sent"], "ids">;

export function useActOnAlert() {
  return useMutation({
    mutationFn: ({ act, sent }: Act) => callEndpoint(async () => (await import("@/lib/alerts/contract"))[act], sent),
  });
}
