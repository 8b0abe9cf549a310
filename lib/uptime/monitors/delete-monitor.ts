import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type * as contract from "@/lib/uptime/contract";
import { inputOf } from "@/lib/uptime/monitors/change-monitor";
import { readMonitor, recordedMonitor, toMonitor } from "@/lib/uptime/monitors/monitor";

/** Deletes a monitor and returns its last state. Its single checks expire with their partitions. Throws 403, 404. */
export async function deleteMonitor(
  principal: Principal,
  { id }: Input<typeof contract.deleteMonitor>,
): Promise<Output<typeof contract.deleteMonitor>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  return auditedTransaction(async (tx, event) => {
    const last = await readMonitor(organizationId, id, tx);
    const { count } = await tx.uptimeMonitor.deleteMany({ where: { organizationId, id } });
    if (count === 0) throw notFound();
    event.resource("monitor", id);
    recordChanges(event, last.name, recordedMonitor(inputOf(last)), null);
    return toMonitor(last);
  });
}
