import { actOnAlert } from "@/lib/alerts/act-on-alert";
import { resolveByHand } from "@/lib/alerts/acts";
import type * as contract from "@/lib/alerts/contract";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Resolves an alert manually; the next evaluation notifies its channels. Throws 403, 404, 409 if it is resolved already. */
export async function resolveAlert(
  principal: Principal,
  { id, note }: Input<typeof contract.resolveAlert>,
): Promise<Output<typeof contract.resolveAlert>> {
  requireAdmin(principal);
  const on: Parameters<typeof actOnAlert>[2]["on"] = (state, _by, now) => resolveByHand(state, now);
  return actOnAlert(principal, id, { kind: "resolved", details: { by: "person", note }, on });
}
