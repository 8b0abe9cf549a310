import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type * as contract from "@/lib/destinations/contract";
import { lockDestination, recordedDestination, showDestination } from "@/lib/destinations/destination";
import { resolvePausing } from "@/lib/destinations/notify";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Deletes a destination. Throws 403, 404. */
export async function deleteDestination(
  principal: Principal,
  { id }: Input<typeof contract.deleteDestination>,
): Promise<Output<typeof contract.deleteDestination>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const row = await auditedTransaction(async (tx, event) => {
    const last = await lockDestination(tx, organizationId, id);
    await tx.destination.deleteMany({ where: { organizationId, id } });
    if (last.pausedReason !== null) await resolvePausing(tx, last, "deleted", new Date());
    event.resource("destination", id);
    event.flag("destination_changed");
    recordChanges(event, last.name, recordedDestination(last), null);
    return last;
  });
  return showDestination(row);
}
