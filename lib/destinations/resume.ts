import type * as contract from "@/lib/destinations/contract";
import { changeDestination, NOT_FAILING, showDestination } from "@/lib/destinations/destination";
import { resolvePausing } from "@/lib/destinations/notify";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Resumes a destination, or ends its wait after a failure. The 24 hours until it is paused again begin anew. Throws 403, 404. */
export async function resumeDestination(
  principal: Principal,
  { id }: Input<typeof contract.resumeDestination>,
): Promise<Output<typeof contract.resumeDestination>> {
  requireAdmin(principal);
  const row = await changeDestination(principal, id, async (before, now, tx) => {
    if (before.pausedReason !== null) await resolvePausing(tx, before, "resumed", now);
    return { pausedAt: null, pausedReason: null, ...NOT_FAILING, nextAt: now, updatedAt: now };
  });
  return showDestination(row);
}
