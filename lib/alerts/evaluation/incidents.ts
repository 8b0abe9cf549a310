import type { AlertState } from "@/lib/alerts/alert-state";
import type { Change } from "@/lib/alerts/evaluation/evaluate";
import { groupBy } from "@/lib/group-by";

/** An alert to send. */
export type PendingNotification = Pick<Change, "alert"> & { reason: NonNullable<Change["reason"]> };

/** What one message says about the incident with this key. */
export interface IncidentUpdate {
  key: string;
  pending: readonly PendingNotification[];
}

/** Maximum number of incidents of one rule with a key of their own. */
const MAX_INCIDENTS = 200;

/** The key of an incident: a certificate wherever it is served, otherwise the alert's subject. */
const keyOf = (ruleId: string, { certificateId, subject }: AlertState) => `${ruleId} ${certificateId ?? subject.id}`;

/** The keys of incidents of their own: those with the oldest alerts. */
function ownKeys(keys: ReadonlyMap<string, readonly AlertState[]>): ReadonlySet<string> {
  // Ids ascend with time.
  const groups = [...keys].map(([key, alerts]) => ({ key, first: alerts.map(({ id }) => id).sort()[0] ?? "" }));
  const oldest = groups.sort((a, b) => (a.first < b.first ? -1 : 1)).slice(0, MAX_INCIDENTS);
  return new Set(oldest.map(({ key }) => key));
}

/**
 * The messages of an evaluation to a provider that tracks incidents: one per incident, which is resolved once all its alerts are. If a rule
 * has more than MAX_INCIDENTS, the newest ones share an incident with the key of the rule. As others end, they get their own, and the
 * shared one is resolved once all have. Each key that is over is resolved, because it may have had its own incident before an older
 * alert reopened or was sent late; the provider ignores an end that has no beginning. `after` are the rule's alerts after the evaluation;
 * the channel gets all of these alerts.
 */
export function incidentUpdates(
  ruleId: string,
  pending: readonly PendingNotification[],
  after: readonly AlertState[],
): IncidentUpdate[] {
  const key = (alert: AlertState) => keyOf(ruleId, alert);
  const ended = pending.filter(({ reason }) => reason === "resolved");
  const begun = pending.filter(({ reason }) => reason !== "resolved");
  const opened = new Set(pending.flatMap(({ alert, reason }) => (reason === "opened" ? [alert] : [])));
  const lasting = after.filter(({ told }) => told !== null);
  const lastingBefore = [...lasting.filter((alert) => !opened.has(alert)), ...ended.map(({ alert }) => alert)];
  const [keysBefore, keys] = [groupBy(lastingBefore, key), groupBy(lasting, key)];
  const [ownBefore, own] = [ownKeys(keysBefore), ownKeys(keys)];

  const notified = new Set(begun.map(({ alert }) => alert));
  const separated = lasting.filter(
    (alert) => own.has(key(alert)) && keysBefore.has(key(alert)) && !ownBefore.has(key(alert)) && !notified.has(alert),
  );
  const firing = [...begun, ...separated.map((alert) => ({ alert, reason: "repeated" as const }))];
  const resolved = ended.filter(({ alert }) => !keys.has(key(alert)));
  const isSharedOver = keysBefore.size > MAX_INCIDENTS && keys.size <= MAX_INCIDENTS;
  const updates = [
    ...groupBy(firing, ({ alert }) => (own.has(key(alert)) ? key(alert) : ruleId)),
    ...groupBy(resolved, ({ alert }) => key(alert)),
    ...(isSharedOver ? [[ruleId, ended] as const] : []),
  ];
  return updates.map(([key, pending]) => ({ key, pending }));
}
