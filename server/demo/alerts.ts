import { acknowledgeAlert } from "@/lib/alerts/acknowledge";
import { applyEventRules, applyStateRules } from "@/lib/alerts/evaluation/evaluate-due";
import { defaultRules } from "@/lib/alerts/rules/default-rules";
import { byCallerWithStrangers, startingAt, wantedFlags } from "@/lib/alerts/situation/flagged-events";
import { NO_LATENCIES } from "@/lib/alerts/situation/situation";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { db, inTransaction, type Transaction } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import type { Done } from "@/server/demo/story";

const flags = wantedFlags(defaultRules);

/** Whether an event is one that alerts are about. */
export function isAlerting(row: AuditRow): boolean {
  return row.flags.some((flag) => flags.includes(flag));
}

/** Evaluates the rules about monitored state at the time of the clock. */
export function evaluateState(organizationId: string): Promise<void> {
  return inTransaction(async (tx) => {
    await applyStateRules(tx, organizationId, NO_LATENCIES, false);
    await deliver(tx, organizationId);
  });
}

/** Evaluates the rules about events at the time of the clock; `rows` are those since the last time. */
export async function evaluateEvents(organizationId: string, rows: readonly AuditRow[]): Promise<void> {
  const events = await byCallerWithStrangers(organizationId, rows.filter(isAlerting), flags);
  await inTransaction(async (tx) => {
    await applyEventRules(tx, organizationId, { events, eventCounts: [], logFaults: [], destinationLags: [] });
    await deliver(tx, organizationId);
  });
}

/** The messages of the past were sent when they were written. */
async function deliver(tx: Transaction, organizationId: string): Promise<void> {
  const sent = { status: "sent", attempts: 1, finishedAt: new Date() };
  const { count } = await tx.notificationDelivery.updateMany({
    where: { organizationId, status: "pending" },
    data: sent,
  });
  if (count === 0) return;
  await tx.notificationChannel.updateMany({ where: { organizationId }, data: { lastSentAt: sent.finishedAt } });
}

/** The worker evaluates only events from now on. */
export async function endEvaluation(organizationId: string, now: number): Promise<void> {
  await db().alertEvaluation.update({
    where: { organizationId },
    data: { eventsPlace: JSON.parse(JSON.stringify(startingAt(now))) as object },
  });
}

/** Somebody acknowledges the alert about a host. */
export async function acknowledge(by: Principal, at: number, host: string, note: string, done: Done): Promise<void> {
  const alert = await db().alert.findFirst({
    where: { organizationId: by.organizationId, subjectName: { startsWith: host }, resolvedAt: null },
    select: { id: true },
  });
  if (alert === null) throw new Error(`there is no alert about ${host}`);
  await done(at, by, { action: "alert.acknowledge", id: alert.id, body: { note } }, () =>
    acknowledgeAlert(by, { id: alert.id, note }),
  );
}
