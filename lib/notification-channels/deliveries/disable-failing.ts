import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { config } from "@/lib/config";
import { db, type Transaction } from "@/lib/db/app";
import type { NotificationChannel as Row } from "@/lib/db/generated/app/client";
import { logFailure } from "@/lib/db/outage-log";
import { isAway } from "@/lib/db/unavailable";
import { systemPrincipal } from "@/lib/http/principal";
import { countLost, readLostAlerts } from "@/lib/notification-channels/deliveries/lost-messages";
import { MAX_FAILURES } from "@/lib/notification-channels/deliveries/schedule";
import { giveUpPending } from "@/lib/notification-channels/pending";
import { enqueue } from "@/lib/notification-channels/queue/enqueue";
import { channelKey, toMessage } from "@/lib/notification-channels/queue/notice";
import { auditRetentionDays } from "@/lib/plans";
import { plural } from "@/lib/text/counts";

/** Has channels notified of an organization's alerts again. */
export type NotifyAgain = (organizationId: string, alertIds: readonly string[]) => Promise<void>;

/**
 * Disables channels that keep failing, each with an event of its own, and reports it through another channel. Then has alerts sent again
 * whose messages were lost (decision 0034): later, because it waits for a running evaluation, which must not keep the channel enabled.
 */
export async function disableFailing(notifyAgain: NotifyAgain): Promise<void> {
  const rows = await db().notificationChannel.findMany({
    where: { enabled: true, failures: { gte: MAX_FAILURES } },
    include: { organization: { select: { plan: true } } },
  });
  for (const { organization, ...row } of rows) {
    const principal = systemPrincipal(row.organizationId, "Sealwatch");
    const retentionDays = auditRetentionDays(organization.plan);
    const failedTo = (what: string) => (error: unknown) => {
      if (isAway(error)) throw error;
      logFailure(`could not ${what} a failing channel`, error, { channel_id: row.id });
      return false;
    };
    const event = { action: "notification_channel.disable", principal, retentionDays } as const;
    const isDisabled = await withAuditEvent(event, () => disable(row)).catch(failedTo("disable"));
    if (isDisabled) await sendLostAgain(row, notifyAgain).catch(failedTo("send again what was lost by"));
  }
}

async function sendLostAgain(row: Row, notifyAgain: NotifyAgain): Promise<void> {
  await notifyAgain(row.organizationId, await readLostAlerts(row));
}

/** Returns whether it was still enabled. */
async function disable(row: Row): Promise<boolean> {
  const { organizationId, id, name, lastError } = row;
  const now = new Date();
  return auditedTransaction(async (tx, event) => {
    event.resource("notification_channel", id);
    const disabledReason = `${MAX_FAILURES} messages in a row could not be sent: ${lastError ?? "unknown error"}.`;
    const { count } = await tx.notificationChannel.updateMany({
      where: { organizationId, id, enabled: true, failures: { gte: MAX_FAILURES } },
      data: { enabled: false, disabledReason, updatedAt: now },
    });
    if (count === 0) {
      event.discarded = true;
      return false;
    }
    const states = [{ enabled: true }, { enabled: false, disabled_reason: disabledReason }] as const;
    recordChanges(event, name, ...states);
    await giveUpPending(tx, { organizationId, id });
    const other = await anotherChannel(tx, organizationId);
    if (other === null) return true;
    const messages = await countLost(tx, row);
    const lost = `${plural(messages, "message")} ${messages === 1 ? "was" : "were"} lost; alerts that nobody else got are sent again.`;
    const notice = {
      title: `The channel ${name} was disabled`,
      text: `${disabledReason} ${lost} To receive alerts through it again, fix the problem and enable the channel.`,
      url: `${config().PUBLIC_URL}/notification-channels/${id}`,
      key: channelKey(id),
    };
    const message = toMessage(notice, "firing", now);
    await enqueue(tx, organizationId, [{ channelId: other, message, alertIds: [] }], now);
    return true;
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
