import { type AlertState, isMoreSevere } from "@/lib/alerts/alert-state";
import type { Change } from "@/lib/alerts/evaluation/evaluate";
import type { Step } from "@/lib/alerts/rules/conditions";
import type { Severity } from "@/lib/certificates/findings";
import { mostSevere } from "@/lib/certificates/findings";
import type { Notification } from "@/lib/notification-channels/deliveries/enqueue";
import { MAX_ITEMS, type Message } from "@/lib/notification-channels/providers/message";

export interface Channel {
  id: string;
  name: string;
  type: string;
}

interface Of {
  rule: { id: string; name: string; steps: readonly Step[] };
  /** Only enabled channels. */
  channels: readonly Channel[];
  baseUrl: string;
  now: Date;
}

/** An alert to send. */
type PendingNotification = Pick<Change, "alert"> & { reason: NonNullable<Change["reason"]> };

/** The channels of every step that an alert has reached, or all enabled channels if none of them is enabled. */
export function channelsOf(
  steps: readonly Step[],
  { step }: Pick<AlertState, "step">,
  enabled: readonly Channel[],
): readonly Channel[] {
  const reached = steps.slice(0, step + 1);
  if (reached.some(({ channel_ids }) => channel_ids.length === 0)) return enabled;
  const ids = new Set(reached.flatMap(({ channel_ids }) => channel_ids));
  const named = enabled.filter(({ id }) => ids.has(id));
  return named.length > 0 ? named : enabled;
}

/** The key of an incident: a certificate wherever it is served, otherwise the alert's subject. */
const groupOf = (ruleId: string, { certificateId, subject }: AlertState) => `${ruleId} ${certificateId ?? subject.id}`;

/**
 * The messages of an evaluation of a rule: per channel, one for all opened, raised and repeated alerts and one for all resolved
 * alerts. Providers that track incidents get one per group, which is resolved once all its alerts are. `after` are the rule's
 * alerts after the evaluation.
 */
export function messagesOf(of: Of, changes: readonly Change[], after: readonly AlertState[]): Notification[] {
  const pending = changes.flatMap(({ alert, reason }): PendingNotification[] =>
    reason === null ? [] : [{ alert, reason }],
  );
  return of.channels.flatMap((channel) => {
    const mine = pending.filter(({ alert }) => channelsOf(of.rule.steps, alert, of.channels).includes(channel));
    const [over, begun] = [
      mine.filter(({ reason }) => reason === "resolved"),
      mine.filter(({ reason }) => reason !== "resolved"),
    ];
    const parts = channel.type === "pagerduty" ? byGroup(of, begun, over, after) : [begun, over];
    return parts
      .filter((part) => part.length > 0)
      .map((part) => ({
        channelId: channel.id,
        message: messageOf(of, part, channel.type === "pagerduty"),
        alertIds: part.map(({ alert }) => alert.id),
      }));
  });
}

function byGroup(
  { rule }: Of,
  begun: readonly PendingNotification[],
  over: readonly PendingNotification[],
  after: readonly AlertState[],
) {
  const lasting = new Set(after.filter((alert) => alert.told !== null).map((alert) => groupOf(rule.id, alert)));
  const groups = new Map<string, PendingNotification[]>();
  for (const each of [...begun, ...over.filter(({ alert }) => !lasting.has(groupOf(rule.id, alert)))]) {
    const key = `${groupOf(rule.id, each.alert)} ${each.reason === "resolved"}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()];
}

const WHY: Record<PendingNotification["reason"], string> = {
  opened: "",
  raised: "The severity increased, or new problems were found.",
  repeated: "Reminder: the problem persists.",
  resolved: "The problem is resolved.",
};

function messageOf({ rule, baseUrl, now }: Of, pending: readonly PendingNotification[], isGrouped: boolean): Message {
  const alerts = pending
    .map(({ alert }) => alert)
    .sort((a, b) => Number(isMoreSevere(b.severity, a.severity)) - Number(isMoreSevere(a.severity, b.severity)));
  const [first] = alerts;
  const severity: Severity = mostSevere(alerts.map((alert) => alert.severity)) ?? "info";
  const single = alerts.length === 1 ? first : undefined;
  const why = new Set(pending.map(({ reason }) => WHY[reason]));
  const text = [`Rule “${rule.name}”.`, why.size === 1 ? [...why][0] : ""].filter(Boolean).join(" ");
  return {
    kind: "alert",
    state: pending.every(({ reason }) => reason === "resolved") ? "resolved" : "firing",
    severity,
    title: single ? `${single.subject.name}: ${single.detail}` : `${rule.name}: ${alerts.length} alerts`,
    text,
    items: alerts.slice(0, MAX_ITEMS).map(({ id, subject, detail, severity }) => ({
      subject: subject.name,
      detail,
      severity,
      url: `${baseUrl}/alerts/${id}`,
      alert_id: id,
    })),
    more: Math.max(0, alerts.length - MAX_ITEMS),
    url: single ? `${baseUrl}/alerts/${single.id}` : `${baseUrl}/alerts?rule_id=${rule.id}`,
    key: isGrouped && first ? groupOf(rule.id, first) : rule.id,
    at: now.toISOString(),
  };
}
