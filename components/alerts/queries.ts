import { callEndpoint } from "@/components/layout/use-endpoint";
import { noticeSessionEnd } from "@/components/requests/session-end";
import type * as contract from "@/lib/alerts/contract";

/** A person's action on an alert, as the API takes it. */
export type Act =
  | { act: "acknowledgeAlert"; sent: (typeof contract.acknowledgeAlert)["types"]["sent"] }
  | { act: "snoozeAlert"; sent: (typeof contract.snoozeAlert)["types"]["sent"] }
  | { act: "resolveAlert"; sent: (typeof contract.resolveAlert)["types"]["sent"] };

/** An action on several alerts, without their ids. */
export type SentAct = Omit<(typeof contract.bulkActOnAlerts)["types"]["sent"], "ids">;

/** Throws RequestFailed. */
export async function actOnAlert({ act, sent }: Act): Promise<void> {
  try {
    await callEndpoint(async () => (await import("@/lib/alerts/contract"))[act], sent);
  } catch (error) {
    noticeSessionEnd(error);
    throw error;
  }
}
