import { actOnAlert } from "@/lib/alerts/act-on-alert";
import { askedAct } from "@/lib/alerts/asked-act";
import type * as contract from "@/lib/alerts/contract";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Resolves an alert manually; the next evaluation notifies its channels. Throws 403, 404, 409 if it is resolved already. */
export async function resolveAlert(
  principal: Principal,
  { id, note }: Input<typeof contract.resolveAlert>,
): Promise<Output<typeof contract.resolveAlert>> {
  requireAdmin(principal);
  return actOnAlert(principal, id, askedAct({ action: "resolve", note }));
}
