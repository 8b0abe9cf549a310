import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type * as contract from "@/lib/destinations/contract";
import { lockDestination, recordedDestination, showDestination } from "@/lib/destinations/destination";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Pauses a destination; one that is paused stays as it is. Throws 403, 404. */
export async function pauseDestination(
  principal: Principal,
  { id }: Input<typeof contract.pauseDestination>,
): Promise<Output<typeof contract.pauseDestination>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const row = await auditedTransaction(async (tx, event) => {
    const before = await lockDestination(tx, organizationId, id);
    event.resource("destination", id);
    event.flag("destination_changed");
    const now = new Date();
    const after = await tx.destination.update({
      where: { organizationId_id: { organizationId, id } },
      data: before.pausedAt === null ? { pausedAt: now, leasedUntil: null, updatedAt: now } : {},
    });
    recordChanges(event, before.name, recordedDestination(before), recordedDestination(after));
    return after;
  });
  return showDestination(row);
}
