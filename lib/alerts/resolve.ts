import { actOnAlert } from "@/lib/alerts/act-on-alert";
import { resolveByHand } from "@/lib/alerts/acts";
import type * as contract from "@/lib/alerts/contract";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Ends an alert by hand; channels that know of it are told by the next evaluation. Throws 403, 404, 409 for one that is over. */
export async function resolveAlert(
  principal: Principal,
  { id, note }: Input<typeof contract.resolveAlert>,
): Promise<Output<typeof contract.resolveAlert>> {
  requireAdmin(principal);
  const on: Parameters<typeof actOnAlert>[2]["on"] = (state, _by, now) => resolveByHand(state, now);
  return actOnAlert(principal, id, { kind: "resolved", details: { by: "person", note }, on });
}
