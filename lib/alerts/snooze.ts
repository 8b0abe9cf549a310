import { actOnAlert } from "@/lib/alerts/act-on-alert";
import { askedAct } from "@/lib/alerts/asked-act";
import type * as contract from "@/lib/alerts/contract";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Snoozes an alert: sends nothing until the given time. Throws 400, 403, 404, 409 if it is resolved. */
export async function snoozeAlert(
  principal: Principal,
  { id, until, note }: Input<typeof contract.snoozeAlert>,
): Promise<Output<typeof contract.snoozeAlert>> {
  requireAdmin(principal);
  return actOnAlert(principal, id, askedAct({ action: "snooze", until, note }));
}
