import { actOnAlert } from "@/lib/alerts/act-on-alert";
import { acknowledge } from "@/lib/alerts/acts";
import type * as contract from "@/lib/alerts/contract";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Says that somebody looks after an alert: no more repeats. Throws 403, 404, 409 for one that is over. */
export async function acknowledgeAlert(
  principal: Principal,
  { id, note }: Input<typeof contract.acknowledgeAlert>,
): Promise<Output<typeof contract.acknowledgeAlert>> {
  requireAdmin(principal);
  return actOnAlert(principal, id, { kind: "acknowledged", details: { note }, on: acknowledge });
}
