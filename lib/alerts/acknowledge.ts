import { actOnAlert } from "@/lib/alerts/act-on-alert";
import { askedAct } from "@/lib/alerts/asked-act";
import type * as contract from "@/lib/alerts/contract";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Acknowledges an alert, which stops repeats. Throws 403, 404, 409 if it is resolved. */
export async function acknowledgeAlert(
  principal: Principal,
  { id, note }: Input<typeof contract.acknowledgeAlert>,
): Promise<Output<typeof contract.acknowledgeAlert>> {
  requireAdmin(principal);
  return actOnAlert(principal, id, askedAct({ action: "acknowledge", note }));
}
