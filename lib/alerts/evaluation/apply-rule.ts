import { columnsOf, entryRows, insertEntries, toState } from "@/lib/alerts/alert-row";
import type { AlertState, Fact } from "@/lib/alerts/alert-state";
import { type Change, type Circumstances, evaluate, REOPEN_MS } from "@/lib/alerts/evaluation/evaluate";
import {
  type Channel,
  channelsOf,
  messagesOf,
  receiversOf,
  tracksIncidents,
} from "@/lib/alerts/evaluation/notifications";
import type { Rule } from "@/lib/alerts/rules/alert-rule";
import { readResources } from "@/lib/alerts/situation/read-resources";
import { storableJson } from "@/lib/audit-logs/storable";
import { config } from "@/lib/config";
import { queryIn, type Transaction } from "@/lib/db/app";
import { groupBy } from "@/lib/group-by";
import { newId } from "@/lib/ids";
import { enqueue } from "@/lib/notification-channels/queue/enqueue";

/** First key of the advisory lock: "aler". */
const LOCK_CLASS = 0x616c_6572;

/** A problem of many resources changes as many alerts, whose JSON would be large. */
const WRITE_BATCH_SIZE = 1_000;

/** Channels that an entry names. It is stored for every alert and repetition. */
const NAMED_CHANNELS = 20;

/** Allows one evaluation per organization until the transaction ends. Does not lock its row, which others may change. */
export async function lockEvaluation(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK_CLASS}::integer, hashtext(${organizationId}))`;
}

/** Resolved alerts that an evaluation can reopen were resolved after this time. */
const reopenable = (now: Date) => new Date(now.getTime() - REOPEN_MS);

/** Locks the alerts that an evaluation needs until the transaction ends. Read them afterwards. */
export async function lockLive(tx: Transaction, organizationId: string, now: Date): Promise<void> {
  await tx.$queryRaw`SELECT id FROM alerts
    WHERE organization_id = ${organizationId}::uuid AND (live OR resolved_at > ${reopenable(now)}) ORDER BY id FOR UPDATE`;
}

/** The alerts that an evaluation needs, by rule. */
export async function readLive(tx: Transaction, organizationId: string, now: Date): Promise<Map<string, AlertState[]>> {
  const rows = await tx.alert.findMany({
    where: { organizationId, OR: [{ live: true }, { resolvedAt: { gt: reopenable(now) } }] },
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
  { now, ...circumstances }: Omit<Circumstances, "now" | "newId"> & { now: Date },
): Promise<readonly AlertState[]> {
  const evaluated = evaluate(rule, facts, alerts, { ...circumstances, now: now.getTime(), newId });
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
  const entries = changes.flatMap(({ alert, entries, reason }) => {
    if (reason === null) return entryRows(alert.id, entries);
    const names = receiversOf(rule.steps, { alert, reason }, channels).map(({ name }) => name);
    const details = {
      as: reason,
      channels: names.slice(0, NAMED_CHANNELS),
      more: Math.max(0, names.length - NAMED_CHANNELS),
    };
    return entryRows(alert.id, [...entries, { kind: "told" as const, details }]);
  });
  await insertEntries(tx, organizationId, entries);
  return after;
}

/** Records that channels are notified of a change. Without an enabled channel, it records nothing. */
function withNotifiedAt(change: Change, { steps }: Rule, channels: readonly Channel[], now: Date): Change {
  const { alert, reason } = change;
  if (reason === null) return change;
  const notified = channelsOf(steps, alert, channels);
  if (notified.length === 0) return change;
  if (reason === "resolved") return { ...change, alert: { ...alert, notifiedAt: null } };
  const tracking = notified.filter(tracksIncidents).map(({ id }) => id);
  const trackedBy = [...new Set([...(alert.trackedBy ?? []), ...tracking])];
  return { ...change, alert: { ...alert, notifiedAt: now.getTime(), ...(trackedBy.length > 0 && { trackedBy }) } };
}

async function writeAlerts(
  tx: Transaction,
  organizationId: string,
  { id: ruleId, name: ruleName }: Rule,
  changes: readonly Change[],
): Promise<void> {
  for (let from = 0; from < changes.length; from += WRITE_BATCH_SIZE) {
    const rows = changes
      .slice(from, from + WRITE_BATCH_SIZE)
      .map(({ alert }) => ({ id: alert.id, ...columnsOf(alert) }));
    await queryIn(tx, {
      text: `INSERT INTO alerts (organization_id, rule_id, rule_name, id, subject_type, subject_id, subject_name, certificate_id, step,
    severity, causes, detail, opened_at, absent_since, acknowledged_at, acknowledged_by, snoozed_until, resolved_at, resolved_by, memory, live)
  SELECT $1::uuid, $2::uuid, $3, new.* FROM jsonb_to_recordset($4::jsonb) AS new (id uuid, "subjectType" text, "subjectId" uuid,
    "subjectName" text, "certificateId" uuid, step smallint, severity text, causes text[], detail text, "openedAt" timestamptz,
    "absentSince" timestamptz, "acknowledgedAt" timestamptz, "acknowledgedBy" text, "snoozedUntil" timestamptz,
    "resolvedAt" timestamptz, "resolvedBy" text, memory jsonb, live boolean)
  ON CONFLICT (organization_id, id) DO UPDATE SET (rule_name, subject_type, subject_id, subject_name, certificate_id, step, severity,
      causes, detail, opened_at, absent_since, acknowledged_at, acknowledged_by, snoozed_until, resolved_at, resolved_by, memory, live)
    = (excluded.rule_name, excluded.subject_type, excluded.subject_id, excluded.subject_name, excluded.certificate_id, excluded.step,
      excluded.severity, excluded.causes, excluded.detail, excluded.opened_at, excluded.absent_since, excluded.acknowledged_at,
      excluded.acknowledged_by, excluded.snoozed_until, excluded.resolved_at, excluded.resolved_by, excluded.memory, excluded.live)`,
      values: [organizationId, ruleId, ruleName, storableJson(rows)],
    });
  }
}
