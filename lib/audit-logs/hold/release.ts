import type { releaseAuditHold as contract } from "@/lib/audit-logs/hold/contract";
import { actorOf, recordedHold, recordHeldSince, toAuditHold } from "@/lib/audit-logs/hold/hold";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Releases a hold; the worker then files what only it kept. A released hold stays as it is. Throws 403, 404. */
export async function releaseAuditHold(
  principal: Principal,
  { id }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  return auditedTransaction(async (tx, event) => {
    event.resource("audit_hold", id);
    await tx.$queryRaw`SELECT FROM organizations WHERE id = ${organizationId}::uuid FOR UPDATE`;
    const row = await tx.auditHold.findFirst({ where: { organizationId, id } });
    if (row === null) throw notFound();
    if (row.releasedAt !== null) return toAuditHold(row);
    const by = actorOf(principal);
    const released = await tx.auditHold.update({
      where: { organizationId_id: { organizationId, id } },
      data: {
        releasedAt: event.occurredAt,
        ...{ releasedByType: by.type, releasedById: by.id, releasedByName: by.name },
      },
    });
    await recordHeldSince(tx, organizationId);
    event.flag("audit_hold_released");
    recordChanges(event, row.name, recordedHold(toAuditHold(row)), recordedHold(toAuditHold(released)));
    return toAuditHold(released);
  });
}
