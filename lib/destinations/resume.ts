import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type * as contract from "@/lib/destinations/contract";
import { lockDestination, recordedDestination, showDestination } from "@/lib/destinations/destination";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Resumes a destination, or ends its wait after a failure. The 24 hours until it is paused again begin anew. Throws 403, 404. */
export async function resumeDestination(
  principal: Principal,
  { id }: Input<typeof contract.resumeDestination>,
): Promise<Output<typeof contract.resumeDestination>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const row = await auditedTransaction(async (tx, event) => {
    const before = await lockDestination(tx, organizationId, id);
    event.resource("destination", id);
    event.flag("destination_changed");
    const now = new Date();
    const after = await tx.destination.update({
      where: { organizationId_id: { organizationId, id } },
      data: { pausedAt: null, pausedReason: null, failures: 0, failingSince: null, nextAt: now, updatedAt: now },
    });
    recordChanges(event, before.name, recordedDestination(before), recordedDestination(after));
    return after;
  });
  return showDestination(row);
}
