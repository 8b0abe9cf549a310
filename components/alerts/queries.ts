"use client";

import { useMutation } from "@tanstack/react-query";
import type * as contract from "@/lib/alerts/contract";
import type { AlertDetail } from "@/lib/alerts/contract";

/** A person's action on an alert, as the API takes it. */
export type Act =
  | { act: "acknowledgeAlert"; sent: (typeof contract.acknowledgeAlert)["types"]["sent"] }
  | { act: "snoozeAlert"; sent: (typeof contract.snoozeAlert)["types"]["sent"] }
  | { act: "resolveAlert"; sent: (typeof contract.resolveAlert)["types"]["sent"] };

/** The contract brings the validation library, so it is loaded at the first action. */
export function useActOnAlert() {
  return useMutation({
    mutationFn: async ({ act, sent }: Act): Promise<AlertDetail> => {
      const [{ call }, contract] = await Promise.all([import("@/lib/http/client"), import("@/lib/alerts/contract")]);
      const answer = await call(contract[act] as never, sent as never);
      return (answer as { data: AlertDetail }).data;
    },
  });
}
