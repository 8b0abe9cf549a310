import { parseHoldFilter } from "@/lib/audit-logs/held/filter";
import { lockForHold } from "@/lib/audit-logs/held/redaction-lock";
import { type placeAuditHold as contract, MAX_ACTIVE_HOLDS } from "@/lib/audit-logs/hold/contract";
import { actorOf, recordedHold, recordHeldSince, toAuditHold } from "@/lib/audit-logs/hold/hold";
import { isDeletionBegun } from "@/lib/audit-logs/hold/is-deletion-begun";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, invalid, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { auditRetentionDays } from "@/lib/plans";
import { DAY_MS } from "@/lib/time/units";

/**
 * Places a legal hold on the organization's log. It covers what has not expired at its time, which is the database's, and the worker
 * drops nothing that it has not expired for longer than this transaction can take. Throws 400, 403, 409.
 */
export async function placeAuditHold(
  principal: Principal,
  { name, reason, filter }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const filters = filter ? parseHoldFilter(filter) : {};
  return auditedTransaction(async (tx, event) => {
    // Also waits for a change of the plan, for a deletion that begins, and for redactions that have begun.
    const [own] = await tx.$queryRaw<{ plan: string; now: Date }[]>`
      SELECT plan, now() AS now FROM organizations WHERE id = ${organizationId}::uuid FOR UPDATE`;
    if (own === undefined) throw notFound();
    await tx.$executeRawUnsafe(lockForHold, organizationId);
    const placedAt = own.now;
    if (await isDeletionBegun(tx, organizationId)) {
      throw new ApiError("CONFLICT", "The deletion of the organization has begun.");
    }
    const active = await tx.auditHold.count({ where: { organizationId, releasedAt: null } });
    if (active >= MAX_ACTIVE_HOLDS) {
      throw new ApiError("CONFLICT", `At most ${MAX_ACTIVE_HOLDS} holds are active at a time; release one first.`);
    }
    const kept = placedAt.getTime() - auditRetentionDays(own.plan) * DAY_MS;
    if (filters.until !== undefined && filters.until <= kept) {
      throw invalid("filter", "has an until before the oldest event that is kept");
    }
    const { type, id, name: placedByName } = actorOf(principal);
    const row = await tx.auditHold.create({
      data: {
        ...{ organizationId, id: newId(), name, reason, filter: filter ?? null, placedAt },
        coversSince: new Date(Math.max(kept, filters.since ?? kept)),
        ...{ placedByType: type, placedById: id, placedByName },
      },
    });
    await tx.organization.update({ where: { id: organizationId }, data: { auditHasHeld: true } });
    await recordHeldSince(tx, organizationId);
    const placed = toAuditHold(row);
    event.resource("audit_hold", row.id);
    event.flag("audit_hold_placed");
    recordChanges(event, name, null, recordedHold(placed));
    return placed;
  });
}
