import { deleteOrganizationEvents } from "@/lib/audit-logs/retain/delete-organization-events";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { isPaidFor } from "@/lib/billing/is-paid-for";
import { isRunning } from "@/lib/billing/subscription";
import { db, pool } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { log } from "@/lib/log";
import { emptyTables } from "@/lib/organizations/empty-tables";

/** How long one organization may take of a run: then it is another's turn, and the next run goes on. */
const TURN_MS = 30_000;
/** What was under way may still write events for this long. */
const LATE_EVENTS_AFTER = "1 hour";

/**
 * The worker's job: deletes organizations whose grace period is over from both databases, in steps; it goes on where it was
 * stopped. One that fails, or that is still paid for, keeps no other waiting.
 */
export async function purgeOrganizations(signal: AbortSignal): Promise<void> {
  const due = await db().organization.findMany({
    where: { deletionDueAt: { lte: new Date() } },
    select: { id: true },
    orderBy: { deletionDueAt: "asc" },
  });
  const purged = await db().organizationPurge.findMany();
  const work = [
    ...due.map(({ id }) => ({ id, run: purge })),
    ...purged.map(({ organizationId: id }) => ({ id, run: forgetAuditLog })),
  ];
  for (const { id, run } of work) {
    if (signal.aborted) return;
    const end = performance.now() + TURN_MS;
    try {
      await run(id, () => signal.aborted || performance.now() > end);
    } catch (error) {
      logFailure("an organization could not be purged; it will be tried again", error, { organization_id: id });
    }
  }
}

/** Deletes all of an organization from the monitoring database. That it was there is on record for the operator. */
async function purge(id: string, stop: () => boolean): Promise<void> {
  if (await isPaidFor(id)) {
    log.warn({ organization_id: id }, "an organization is due for deletion, but its subscription is running");
    return;
  }
  if (!(await emptyTables(id, stop))) return;
  await withAuditEvent({ action: "organization.purge" }, async (event) => {
    await auditedTransaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM organizations WHERE id = ${id}::uuid FOR UPDATE`;
      const due = await tx.organization.findFirst({
        where: { id, deletionDueAt: { lte: new Date() } },
        include: { subscription: true },
      });
      // Another worker may have been faster.
      event.discarded = due === null || (due.subscription !== null && isRunning(due.subscription));
      if (due === null || event.discarded) return;
      await tx.organizationPurge.upsert({
        where: { organizationId: id },
        create: { organizationId: id, purgedAt: event.occurredAt },
        update: {},
      });
      await tx.auditOutbox.deleteMany({ where: { organizationId: id } });
      // With what was written since its table was emptied.
      await tx.organization.delete({ where: { id } });
      const { name, slug, deletionRequestedAt, deletionRequestedBy } = due;
      event.resource("organization", id);
      event.row.details = { name, slug, requested_at: deletionRequestedAt, requested_by: deletionRequestedBy };
      log.info({ organization_id: id, slug, requested_by: deletionRequestedBy }, "deleted an organization");
    });
  });
}

/** Deletes the audit log of an organization that is gone, until nothing is left and nothing can come any more. */
async function forgetAuditLog(organizationId: string, stop: () => boolean): Promise<void> {
  const days = await deleteOrganizationEvents(organizationId, stop);
  if (days > 0) log.info({ organization_id: organizationId, days }, "deleted the audit log of an organization");
  else await forgetPurge(organizationId);
}

async function forgetPurge(organizationId: string): Promise<void> {
  await pool().query(
    `DELETE FROM organization_purges WHERE organization_id = $1 AND purged_at < now() - interval '${LATE_EVENTS_AFTER}'
       AND NOT EXISTS (SELECT FROM audit_outbox WHERE organization_id = $1)`,
    [organizationId],
  );
}
