import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Transaction } from "@/lib/db/app";
import type { Organization } from "@/lib/db/generated/app/client";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { auditRetentionDays, type Plan } from "@/lib/plans";

/**
 * Changes the organization's plan. A shorter retention hides older events that are not on hold immediately; a longer retention keeps
 * those that still exist. The worker moves stored events to the new retention class. Throws 403, 404.
 */
export async function setPlan(principal: Principal, { plan }: { plan: Plan }): Promise<Organization> {
  requireAdmin(principal);
  return auditedTransaction((tx, event) => setPlanIn(tx, event, principal.organizationId, plan));
}

/** The same within a larger change. Throws 404. */
export async function setPlanIn(
  tx: Transaction,
  event: AuditEventDraft,
  id: string,
  plan: Plan,
): Promise<Organization> {
  // Two changes at the same time: the later one begins with the plan and the retention classes that the earlier one stored.
  await tx.$executeRaw`SELECT FROM organizations WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const before = await tx.organization.findUnique({ where: { id } });
  if (before === null) throw notFound();
  const classes = new Set([...before.auditClasses, auditRetentionDays(before.plan), auditRetentionDays(plan)]);
  const changed = await tx.organization.update({
    where: { id },
    data: { plan, auditClasses: [...classes], planChangedAt: event.occurredAt },
  });
  event.resource("organization", id);
  // Exports of the log are verified without knowing the plans: the events that an earlier plan let expire are not missing.
  const retention_days = { from: auditRetentionDays(before.plan), to: auditRetentionDays(plan) };
  event.row.details = { plan: { from: before.plan, to: plan }, retention_days };
  recordChanges(event, before.name, { plan: before.plan }, { plan });
  if (before.plan !== plan) event.flag("plan_changed");
  return changed;
}
