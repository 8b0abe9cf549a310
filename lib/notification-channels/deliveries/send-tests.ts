import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import type { NotificationChannel as ChannelRow } from "@/lib/db/generated/app/client";
import { logFailure } from "@/lib/db/outage-log";
import { newId } from "@/lib/ids";
import type { NotificationDelivery } from "@/lib/notification-channels/contract";
import { attempt, LEASE_SECONDS } from "@/lib/notification-channels/deliveries/attempt";
import { readDelivery } from "@/lib/notification-channels/deliveries/delivery";
import { recordAttempts } from "@/lib/notification-channels/deliveries/record-attempts";
import { takeTestSlot } from "@/lib/notification-channels/deliveries/test-slots";
import type { Message } from "@/lib/notification-channels/providers/message";
import { failed, type Sent } from "@/lib/notification-channels/providers/provider";
import { organizationOf } from "@/lib/notification-channels/queue/organization-of";

/** A test message for a channel. */
interface TestMessage extends Pick<Message, "title" | "text" | "url"> {
  channel: ChannelRow;
}

/**
 * Sends test messages once, all at the same time, and returns their deliveries in order. A failure is a result, not an error, and
 * never disables a channel. `note` completes the audit event. Throws 503 while too many tests are running.
 */
export async function sendTests(
  organizationId: string,
  tests: readonly TestMessage[],
  note: (event: AuditEventDraft) => void,
): Promise<NotificationDelivery[]> {
  const release = await takeTestSlot(organizationId);
  try {
    return await send(organizationId, tests, note);
  } finally {
    release();
  }
}

async function send(
  organizationId: string,
  tests: readonly TestMessage[],
  note: (event: AuditEventDraft) => void,
): Promise<NotificationDelivery[]> {
  const [now, leasedAt] = [new Date(), performance.now()];
  const leasedUntil = new Date(now.getTime() + LEASE_SECONDS * 1000);
  const organization = await organizationOf(organizationId);
  const leased = tests.map(({ channel, ...words }) => {
    const id = newId();
    const message = { ...messageOf(words, id, now), organization };
    return { organizationId, id, attempts: 1, leasedUntil, leasedAt, message, channel };
  });
  await auditedTransaction(async (tx, event) => {
    note(event);
    await tx.notificationDelivery.createMany({
      data: leased.map(({ id, message, channel }) => ({
        organizationId,
        id,
        channelId: channel.id,
        key: message.key,
        message: { ...message, items: [] },
        alertIds: [],
        attempts: 1,
        nextAttemptAt: now,
        leasedUntil,
        createdAt: now,
      })),
    });
  });
  const results = await Promise.all(
    leased.map(async (each) => ({ leased: each, sent: await attempt(each).catch(notAttempted), at: new Date() })),
  );
  if (results.length > 0) await recordAttempts(results);
  return Promise.all(leased.map(({ id }) => readDelivery(organizationId, id)));
}

/** The result of a test if the database fails, so that the results of the others are recorded. */
function notAttempted(error: unknown): Sent {
  logFailure("could not send a test message", error);
  return failed("Sealwatch cannot use its database", true);
}

function messageOf(words: Pick<Message, "title" | "text" | "url">, id: string, now: Date): Message {
  return {
    kind: "test",
    state: "firing",
    severity: "info",
    ...words,
    items: [],
    more: 0,
    key: `test ${id}`,
    at: now.toISOString(),
  };
}
