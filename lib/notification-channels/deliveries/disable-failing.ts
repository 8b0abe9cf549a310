import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { config } from "@/lib/config";
import { db, type Transaction } from "@/lib/db/app";
import type { NotificationChannel as Row } from "@/lib/db/generated/app/client";
import { logFailure } from "@/lib/db/outage-log";
import { isAway } from "@/lib/db/unavailable";
import { systemPrincipal } from "@/lib/http/principal";
import { readLost } from "@/lib/notification-channels/deliveries/lost-messages";
import { MAX_FAILURES } from "@/lib/notification-channels/deliveries/schedule";
import { giveUpPending } from "@/lib/notification-channels/pending";
import { enqueue } from "@/lib/notification-channels/queue/enqueue";
import { channelKey, toMessage } from "@/lib/notification-channels/queue/notice";
import { auditRetentionDays } from "@/lib/plans";
import { plural } from "@/lib/text/counts";

/** Has other channels notified of an organization's alerts, in the transaction that disables a channel. */
export type NotifyAgain = (tx: Transaction, organizationId: string, alertIds: readonly string[]) => Promise<void>;

/**
 * Disables channels that keep failing, each with an event of its own, and reports it through another channel, which is then notified of
 * alerts whose messages were lost (decision 0034).
 */
export async function disableFailing(notifyAgain: NotifyAgain): Promise<void> {
  const rows = await db().notificationChannel.findMany({
    where: { enabled: true, failures: { gte: MAX_FAILURES } },
    include: { organization: { select: { plan: true } } },
  });
  for (const { organization, ...row } of rows) {
    const principal = systemPrincipal(row.organizationId, "Sealwatch");
    const retentionDays = auditRetentionDays(organization.plan);
    await withAuditEvent({ action: "notification_channel.disable", principal, retentionDays }, () =>
      disable(row, notifyAgain),
    ).catch((error: unknown) => {
      if (isAway(error)) throw error;
      logFailure("could not disable a failing channel", error, { channel_id: row.id });
    });
  }
}

async function disable(row: Row, notifyAgain: NotifyAgain): Promise<void> {
  const { organizationId, id, name, lastError } = row;
  const now = new Date();
  await auditedTransaction(async (tx, event) => {
    event.resource("notification_channel", id);
    const disabledReason = `${MAX_FAILURES} messages in a row could not be sent: ${lastError ?? "unknown error"}.`;
    const { count } = await tx.notificationChannel.updateMany({
      where: { organizationId, id, enabled: true, failures: { gte: MAX_FAILURES } },
      data: { enabled: false, disabledReason, updatedAt: now },
    });
    if (count === 0) {
      event.discarded = true;
      return;
    }
    const states = [{ enabled: true }, { enabled: false, disabled_reason: disabledReason }] as const;
    recordChanges(event, name, ...states);
    await giveUpPending(tx, { organizationId, id });
    const other = await anotherChannel(tx, organizationId);
    if (other === null) return;
    const { messages, alertIds } = await readLost(tx, row);
    const lost = `${plural(messages, "message")} ${messages === 1 ? "was" : "were"} lost; alerts that nobody else got are sent again.`;
    const notice = {
      title: `The channel ${name} was disabled`,
      text: `${disabledReason} ${lost} To receive alerts through it again, fix the problem and enable the channel.`,
      url: `${config().PUBLIC_URL}/notification-channels/${id}`,
      key: channelKey(id),
    };
    const message = toMessage(notice, "firing", now);
    await enqueue(tx, organizationId, [{ channelId: other, message, alertIds: [] }], now);
    if (alertIds.length > 0) await notifyAgain(tx, organizationId, alertIds);
  });
}

/** The most reliable remaining channel. */
async function anotherChannel(tx: Transaction, organizationId: string): Promise<string | null> {
  const found = await tx.notificationChannel.findFirst({
    where: { organizationId, enabled: true },
    orderBy: [{ failures: "asc" }, { lastSentAt: { sort: "desc", nulls: "last" } }],
    select: { id: true },
  });
  return found?.id ?? null;
}
