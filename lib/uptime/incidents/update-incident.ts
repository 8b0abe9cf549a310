import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type * as contract from "@/lib/uptime/incidents/contract";
import { readIncident } from "@/lib/uptime/incidents/incident";

/** Changes an incident's note; an empty note becomes null. Throws 403, 404. */
export async function updateIncident(
  principal: Principal,
  { id, note }: Input<typeof contract.updateIncident>,
): Promise<Output<typeof contract.updateIncident>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  await auditedTransaction(async (tx, event) => {
    const before = await tx.uptimeIncident.findUnique({
      where: { organizationId_id: { organizationId, id } },
      include: { monitor: { select: { name: true } } },
    });
    const after = { note: note || null };
    const { count } = await tx.uptimeIncident.updateMany({ where: { organizationId, id }, data: after });
    if (before === null || count === 0) throw notFound();
    event.resource("incident", id);
    recordChanges(event, before.monitor.name, { note: before.note }, after);
  });
  return readIncident(organizationId, id);
}
