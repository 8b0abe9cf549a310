import { change } from "@/lib/audit-logs/change";
import { recorded } from "@/lib/audit-logs/close";
import { forgetOrganization } from "@/lib/audit-logs/forget-organization";
import { db, pool } from "@/lib/db/app";
import { log } from "@/lib/log";

/** What an organization may have very much of. Deleted in parts beforehand, so that the last transaction is a short one. */
const LARGE = [
  "uptime_checks",
  "uptime_latencies",
  "uptime_rollups",
  "certificate_sightings",
  "certificate_findings",
  "alert_entries",
  "notification_deliveries",
];
const PART = 10_000;
/** What was under way may still write events for this long. */
const ECHO = "1 hour";

/** The worker's job: deletes organizations whose grace period is over from both databases. Goes on where it was stopped. */
export async function purgeOrganizations(signal: AbortSignal): Promise<void> {
  const due = await db().organization.findMany({ where: { deletionDueAt: { lte: new Date() } }, take: 20 });
  for (const { id } of due) {
    if (signal.aborted) return;
    await purge(id);
  }
  await forgetAuditLogs(signal);
}

/** Deletes all of an organization from the monitoring database. That it was there is on record for the operator. */
async function purge(id: string): Promise<void> {
  for (const table of LARGE) await empty(table, id);
  await recorded({ action: "organization.purge" }, async (event) => {
    await change(async (tx) => {
      await tx.$queryRaw`SELECT id FROM organizations WHERE id = ${id}::uuid FOR UPDATE`;
      const due = await tx.organization.findFirst({ where: { id, deletionDueAt: { lte: new Date() } } });
      if (due === null) return;
      await tx.organizationPurge.upsert({
        where: { organizationId: id },
        create: { organizationId: id, purgedAt: event.occurredAt },
        update: {},
      });
      // Who is a member of nothing else was known for the sake of this organization alone.
      await tx.user.deleteMany({
        where: { memberships: { some: { organizationId: id }, every: { organizationId: id } } },
      });
      await tx.auditOutbox.deleteMany({ where: { organizationId: id } });
      await tx.organization.delete({ where: { id } });
      const { name, slug, deletionRequestedAt, deletionRequestedBy } = due;
      event.resource("organization", id);
      event.row.details = { name, slug, requested_at: deletionRequestedAt, requested_by: deletionRequestedBy };
      log.info({ organization_id: id, slug, requested_by: deletionRequestedBy }, "deleted an organization");
    });
  });
}

async function empty(table: string, organizationId: string): Promise<void> {
  const text = `DELETE FROM ${table} WHERE (tableoid, ctid) IN (
    SELECT tableoid, ctid FROM ${table} WHERE organization_id = $1 LIMIT ${PART})`;
  while (((await pool().query(text, [organizationId])).rowCount ?? 0) === PART);
}

/** Deletes the audit logs of organizations that are gone, until nothing is left and nothing can come any more. */
async function forgetAuditLogs(signal: AbortSignal): Promise<void> {
  for (const { organizationId } of await db().organizationPurge.findMany()) {
    if (signal.aborted) return;
    const days = await forgetOrganization(organizationId, signal);
    if (days > 0) log.info({ organization_id: organizationId, days }, "deleted the audit log of an organization");
    else await forgetPurge(organizationId);
  }
}

async function forgetPurge(organizationId: string): Promise<void> {
  await pool().query(
    `DELETE FROM organization_purges WHERE organization_id = $1 AND purged_at < now() - interval '${ECHO}'
       AND NOT EXISTS (SELECT FROM audit_outbox WHERE organization_id = $1)`,
    [organizationId],
  );
}
