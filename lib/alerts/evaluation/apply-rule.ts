import { columnsOf, entryRows, toState } from "@/lib/alerts/alert-row";
import type { AlertState, Fact } from "@/lib/alerts/alert-state";
import { type Change, evaluate, REOPEN_MS } from "@/lib/alerts/evaluation/evaluate";
import { type Channel, channelsOf, messagesOf } from "@/lib/alerts/evaluation/notifications";
import type { Rule } from "@/lib/alerts/rules/alert-rule";
import { readResources } from "@/lib/alerts/situation/read-resources";
import { storableJson } from "@/lib/audit-logs/storable";
import { config } from "@/lib/config";
import { queryIn, type Transaction } from "@/lib/db/app";
import { groupBy } from "@/lib/group-by";
import { newId } from "@/lib/ids";
import { enqueue } from "@/lib/notification-channels/deliveries/enqueue";

/** First key of the advisory lock: "aler". */
const LOCK_CLASS = 0x616c_6572;

/** A problem of many resources changes as many alerts; one statement for each would take longer than a transaction may. */
const UPDATED_AT_ONCE = 1_000;

/** Allows one evaluation per organization until the transaction ends. Does not lock its row, which others may change. */
export async function lockEvaluation(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK_CLASS}::integer, hashtext(${organizationId}))`;
}

/** The alerts that an evaluation needs, by rule, locked until the transaction ends. */
export async function readLive(tx: Transaction, organizationId: string, now: Date): Promise<Map<string, AlertState[]>> {
  const reopenable = new Date(now.getTime() - REOPEN_MS);
  await tx.$queryRaw`SELECT id FROM alerts
    WHERE organization_id = ${organizationId}::uuid AND (live OR resolved_at > ${reopenable}) ORDER BY id FOR UPDATE`;
  const rows = await tx.alert.findMany({
    where: { organizationId, OR: [{ live: true }, { resolvedAt: { gt: reopenable } }] },
    // For equal keys the newest alert wins.
    orderBy: { id: "asc" },
  });
  const byRule = groupBy(rows, ({ ruleId }) => ruleId);
  return new Map([...byRule].map(([ruleId, mine]) => [ruleId, mine.map(toState)]));
}

/** The channels that can receive messages. */
export async function readChannels(
  tx: Pick<Transaction, "notificationChannel">,
  organizationId: string,
): Promise<Channel[]> {
  return tx.notificationChannel.findMany({
    where: { organizationId, enabled: true },
    orderBy: { id: "asc" },
    select: { id: true, name: true, type: true },
  });
}

/** Evaluates a rule and writes changed alerts, timelines and messages, all or nothing. Returns the resulting alerts. */
export async function applyRule(
  tx: Transaction,
  organizationId: string,
  rule: Rule,
  facts: readonly Fact[],
  alerts: readonly AlertState[],
  { now, isMassFailure, isPast = false }: { now: Date; isMassFailure: boolean; isPast?: boolean },
): Promise<readonly AlertState[]> {
  const evaluated = evaluate(rule, facts, alerts, { now: now.getTime(), isMassFailure, isPast, newId });
  if (evaluated.length === 0) return alerts;
  const isNotified = evaluated.some(({ reason }) => reason !== null);
  const channels = isNotified ? await readChannels(tx, organizationId) : [];
  const changes = evaluated.map((change) => withNotifiedAt(change, rule, channels, now));
  const changed = new Map(changes.map(({ alert }) => [alert.id, alert]));
  const after = [
    ...alerts.map((alert) => changed.get(alert.id) ?? alert),
    ...changes.filter(({ isNew }) => isNew).map(({ alert }) => alert),
  ];
  await writeAlerts(tx, organizationId, rule, changes);
  const toSend = channels.length > 0 ? changes.filter(({ reason }) => reason !== null).map(({ alert }) => alert) : [];
  const resources = await readResources(tx, organizationId, toSend);
  const of = { rule, channels, baseUrl: config().PUBLIC_URL, now, resources };
  await enqueue(tx, organizationId, messagesOf(of, changes, after), now);
  await tx.alertEntry.createMany({
    data: changes.flatMap(({ alert, entries, reason }) => {
      const told = { as: reason, channels: channelsOf(rule.steps, alert, channels).map(({ name }) => name) };
      const all = reason === null ? entries : [...entries, { kind: "told" as const, details: told }];
      return entryRows(organizationId, alert.id, all);
    }),
  });
  return after;
}

/** Records that channels are notified of a change; without an enabled channel, nobody is. */
function withNotifiedAt(change: Change, { steps }: Rule, channels: readonly Channel[], now: Date): Change {
  const { alert, reason } = change;
  if (reason === null || channelsOf(steps, alert, channels).length === 0) return change;
  return { ...change, alert: { ...alert, notifiedAt: reason === "resolved" ? null : now.getTime() } };
}

async function writeAlerts(
  tx: Transaction,
  organizationId: string,
  { id: ruleId, name: ruleName }: Rule,
  changes: readonly Change[],
): Promise<void> {
  const [added, others] = [changes.filter(({ isNew }) => isNew), changes.filter(({ isNew }) => !isNew)];
  await tx.alert.createMany({
    data: added.map(({ alert }) => ({ organizationId, id: alert.id, ruleId, ruleName, ...columnsOf(alert) })),
  });
  for (let from = 0; from < others.length; from += UPDATED_AT_ONCE) {
    const rows = others.slice(from, from + UPDATED_AT_ONCE).map(({ alert }) => ({ id: alert.id, ...columnsOf(alert) }));
    await queryIn(tx, {
      text: `UPDATE alerts a SET rule_name = $2, subject_type = new."subjectType", subject_id = new."subjectId",
    subject_name = new."subjectName", certificate_id = new."certificateId", step = new.step, severity = new.severity,
    causes = new.causes, detail = new.detail, opened_at = new."openedAt", absent_since = new."absentSince",
    acknowledged_at = new."acknowledgedAt", acknowledged_by = new."acknowledgedBy", snoozed_until = new."snoozedUntil",
    resolved_at = new."resolvedAt", resolved_by = new."resolvedBy", memory = new.memory, live = new.live
  FROM jsonb_to_recordset($3::jsonb) AS new (id uuid, "subjectType" text, "subjectId" uuid, "subjectName" text, "certificateId" uuid,
    step smallint, severity text, causes text[], detail text, "openedAt" timestamptz, "absentSince" timestamptz,
    "acknowledgedAt" timestamptz, "acknowledgedBy" text, "snoozedUntil" timestamptz, "resolvedAt" timestamptz, "resolvedBy" text,
    memory jsonb, live boolean)
  WHERE a.organization_id = $1::uuid AND a.id = new.id`,
      values: [organizationId, ruleName, storableJson(rows)],
    });
  }
}
