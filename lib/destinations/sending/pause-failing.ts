import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { db, pool } from "@/lib/db/app";
import type { Destination as Row } from "@/lib/db/generated/app/client";
import { logFailure } from "@/lib/db/outage-log";
import { isAway } from "@/lib/db/unavailable";
import { recordedDestination } from "@/lib/destinations/destination";
import { notifyOfPausing } from "@/lib/destinations/notify";
import { systemPrincipal } from "@/lib/http/principal";
import { auditRetentionDays } from "@/lib/plans";

/**
 * Destinations that have failed for so long are paused, by the database's clock, which has also set the times of their failures. From the
 * first to the last: the time since then may be that of a backup, or one without workers.
 */
const FAILING =
  "SELECT id FROM destinations WHERE paused_at IS NULL AND last_failed_at >= failing_since + interval '24 hours'";

/** Pauses destinations that have failed for 24 hours, each with an event of its own, and reports it through the organization's channels. */
export async function pauseFailing(): Promise<void> {
  const { rows: failing } = await pool().query<{ id: string }>(FAILING);
  const rows = await db().destination.findMany({
    where: { id: { in: failing.map(({ id }) => id) } },
    include: { organization: { select: { plan: true } } },
  });
  for (const { organization, ...row } of rows) {
    const principal = systemPrincipal(row.organizationId, "Sealwatch");
    const retentionDays = auditRetentionDays(organization.plan);
    await withAuditEvent({ action: "destination.pause", principal, retentionDays }, () => pause(row)).catch(
      (error: unknown) => {
        if (isAway(error)) throw error;
        logFailure("could not pause a failing destination", error, { destination_id: row.id });
      },
    );
  }
}

async function pause(before: Row): Promise<void> {
  const { organizationId, id, name, failingSince, lastError } = before;
  await auditedTransaction(async (tx, event) => {
    event.resource("destination", id);
    event.flag("destination_changed");
    const now = new Date();
    const pausedReason = `Nothing could be sent for 24 hours: ${lastError ?? "unknown error"}.`;
    const { count } = await tx.destination.updateMany({
      where: { organizationId, id, pausedAt: null, failingSince },
      data: { pausedAt: now, pausedReason, updatedAt: now },
    });
    if (count === 0) {
      event.discarded = true;
      return;
    }
    recordChanges(
      event,
      name,
      recordedDestination(before),
      recordedDestination({ ...before, pausedAt: now, pausedReason }),
    );
    await notifyOfPausing(tx, before, now, {
      title: `Sending the audit log to ${name} was paused`,
      text: `${pausedReason} Its position in the log is kept. To continue from there, fix the problem and resume the destination.`,
    });
  });
}
