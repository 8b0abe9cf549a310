import { deleteOrganizationEvents } from "@/lib/audit-logs/retain/delete-organization-events";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { isPaidFor } from "@/lib/billing/is-paid-for";
import { isRunning } from "@/lib/billing/subscription";
import { db, pool } from "@/lib/db/app";
import { withTransaction } from "@/lib/db/connections";
import { logFailure } from "@/lib/db/outage-log";
import { log } from "@/lib/log";
import { emptyTables } from "@/lib/organizations/empty-tables";
import { processSingleton } from "@/lib/process-singleton";
import { DAY_MS } from "@/lib/time/units";

/** Time limit per organization and run, so that all get their turn. The next run continues. */
const TURN_MS = 30_000;
/** Work in progress may still write events for this long. */
const PURGE_RECORD_AGE = "1 hour";

/**
 * Worker job: deletes organizations whose grace period has ended from both databases, in steps that resume after an
 * interruption. An organization that fails or is still paid for does not delay the others. Calls `onProgress` after each.
 */
export async function purgeOrganizations(signal: AbortSignal, onProgress?: () => void): Promise<void> {
  const due = await db().organization.findMany({
    where: { deletionDueAt: { lte: new Date() } },
    select: { id: true },
    orderBy: { deletionDueAt: "asc" },
  });
  const purged = await db().organizationPurge.findMany();
  const isWaiting = new Set(due.map(({ id }) => id));
  for (const id of warned().keys()) if (!isWaiting.has(id)) warned().delete(id);
  const work = [
    ...due.map(({ id }) => ({ id, run: purge })),
    ...purged.map(({ organizationId: id }) => ({ id, run: deleteAuditLog })),
  ];
  for (const { id, run } of work) {
    if (signal.aborted) return;
    const end = performance.now() + TURN_MS;
    try {
      await run(id, () => signal.aborted || performance.now() > end);
      onProgress?.();
    } catch (error) {
      logFailure("could not purge an organization; will retry", error, { organization_id: id });
    }
  }
}

/** When this process last said of an organization why it is not deleted, in milliseconds. */
const warned = () => processSingleton("organizations.undeleted", () => new Map<string, number>());

/** What keeps an organization may last for years, and is found every minute. */
function warnDaily(id: string, words: string): void {
  const now = performance.now();
  if (now - (warned().get(id) ?? Number.NEGATIVE_INFINITY) < DAY_MS) return;
  warned().set(id, now);
  log.warn({ organization_id: id }, words);
}

/** Deletes an organization from the monitoring database. The operator's audit log keeps a record. */
async function purge(id: string, stop: () => boolean): Promise<void> {
  const { isDue, isOnHold } = await readDeletion(id);
  if (!isDue) return;
  if (isOnHold) return warnDaily(id, "an organization is due for deletion, but its audit log is on hold");
  if (await isPaidFor(id)) return warnDaily(id, "an organization is due for deletion, but its subscription is active");
  if (!(await emptyTables(id, stop))) return;
  await withAuditEvent({ action: "organization.purge" }, async (event) => {
    await auditedTransaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM organizations WHERE id = ${id}::uuid FOR UPDATE`;
      const due = await tx.organization.findFirst({
        where: { id, deletionDueAt: { lte: new Date() } },
        include: { subscription: true },
      });
      // Another worker may have deleted it first.
      event.discarded = due === null || (due.subscription !== null && isRunning(due.subscription));
      if (due === null || event.discarded) return;
      await tx.organizationPurge.upsert({
        where: { organizationId: id },
        create: { organizationId: id, purgedAt: event.occurredAt },
        update: {},
      });
      await tx.auditOutbox.deleteMany({ where: { organizationId: id } });
      // Cascades to rows written since their table was emptied.
      await tx.organization.delete({ where: { id } });
      const { name, slug, deletionRequestedAt, deletionRequestedBy } = due;
      event.resource("organization", id);
      event.row.details = { name, slug, requested_at: deletionRequestedAt, requested_by: deletionRequestedBy };
      log.info({ organization_id: id, slug, requested_by: deletionRequestedBy }, "deleted an organization");
    });
  });
}

/**
 * Whether the deletion of an organization is due, and whether its audit log is on hold. By the clock of the database and with a lock:
 * a hold that is being placed is waited for, and from when the deletion is due without a hold, holds, cancellations and payments come
 * too late (`isDeletionBegun`).
 */
async function readDeletion(id: string): Promise<{ isDue: boolean; isOnHold: boolean }> {
  return withTransaction(pool(), async (client) => {
    const { rows: due } = await client.query(
      "SELECT FROM (SELECT deletion_due_at FROM organizations WHERE id = $1 FOR UPDATE) AS own WHERE deletion_due_at <= clock_timestamp()",
      [id],
    );
    const { rows: holds } = await client.query(
      "SELECT FROM audit_holds WHERE organization_id = $1 AND released_at IS NULL LIMIT 1",
      [id],
    );
    return { isDue: due.length > 0, isOnHold: holds.length > 0 };
  });
}

/** Deletes the audit log of a deleted organization, until it is empty and no late event can arrive. */
async function deleteAuditLog(organizationId: string, stop: () => boolean): Promise<void> {
  const days = await deleteOrganizationEvents(organizationId, stop);
  if (days > 0) log.info({ organization_id: organizationId, days }, "deleted the audit log of an organization");
  else await deletePurgeRecord(organizationId);
}

async function deletePurgeRecord(organizationId: string): Promise<void> {
  await pool().query(
    `DELETE FROM organization_purges WHERE organization_id = $1 AND purged_at < now() - interval '${PURGE_RECORD_AGE}'
       AND NOT EXISTS (SELECT FROM audit_outbox WHERE organization_id = $1)`,
    [organizationId],
  );
}
