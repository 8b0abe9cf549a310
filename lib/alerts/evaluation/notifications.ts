import { type AlertState, isGraver } from "@/lib/alerts/alert-state";
import type { Change } from "@/lib/alerts/evaluation/evaluate";
import type { Step } from "@/lib/alerts/rules/conditions";
import type { Severity } from "@/lib/certificates/findings";
import { gravest } from "@/lib/certificates/findings";
import type { Notification } from "@/lib/notification-channels/deliveries/enqueue";
import { MAX_ITEMS, type Message } from "@/lib/notification-channels/providers/message";

export interface Channel {
  id: string;
  name: string;
  type: string;
}

interface Of {
  rule: { id: string; name: string; steps: readonly Step[] };
  /** Those that are enabled. */
  channels: readonly Channel[];
  baseUrl: string;
  now: Date;
}

/** An alert to tell of. */
type Telling = Pick<Change, "alert"> & { tell: NonNullable<Change["tell"]> };

/** Who is told of an alert: the channels of every step it has reached. Where none of them is enabled, all that are: nothing is lost. */
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

/** What belongs to one incident: a certificate wherever it is served, else what the alert is about. */
const groupOf = (ruleId: string, { certificateId, subject }: AlertState) => `${ruleId} ${certificateId ?? subject.id}`;

/**
 * The messages of one evaluation of a rule: per channel one for all that begins, goes on or rises, and one for all that is over, however
 * many hosts there are. Providers that keep incidents get one per group, which is over when nothing of the group is left. `after` are the
 * rule's alerts as they now are.
 */
export function messagesOf(of: Of, changes: readonly Change[], after: readonly AlertState[]): Notification[] {
  const tellings = changes.flatMap(({ alert, tell }): Telling[] => (tell === null ? [] : [{ alert, tell }]));
  return of.channels.flatMap((channel) => {
    const mine = tellings.filter(({ alert }) => channelsOf(of.rule.steps, alert, of.channels).includes(channel));
    const [over, begun] = [
      mine.filter(({ tell }) => tell === "resolved"),
      mine.filter(({ tell }) => tell !== "resolved"),
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

function byGroup({ rule }: Of, begun: readonly Telling[], over: readonly Telling[], after: readonly AlertState[]) {
  const lasting = new Set(after.filter((alert) => alert.told !== null).map((alert) => groupOf(rule.id, alert)));
  const groups = new Map<string, Telling[]>();
  for (const telling of [...begun, ...over.filter(({ alert }) => !lasting.has(groupOf(rule.id, alert)))]) {
    const key = `${groupOf(rule.id, telling.alert)} ${telling.tell === "resolved"}`;
    groups.set(key, [...(groups.get(key) ?? []), telling]);
  }
  return [...groups.values()];
}

const WHY: Record<Telling["tell"], string> = {
  opened: "",
  raised: "It has become graver, or more was found.",
  repeated: "It is told again because it still lasts.",
  resolved: "It is over.",
};

function messageOf({ rule, baseUrl, now }: Of, tellings: readonly Telling[], isGrouped: boolean): Message {
  const alerts = tellings
    .map(({ alert }) => alert)
    .sort((a, b) => Number(isGraver(b.severity, a.severity)) - Number(isGraver(a.severity, b.severity)));
  const [first] = alerts;
  const severity: Severity = gravest(alerts.map((alert) => alert.severity)) ?? "info";
  const single = alerts.length === 1 ? first : undefined;
  const why = new Set(tellings.map(({ tell }) => WHY[tell]));
  const text = [`Rule “${rule.name}”.`, why.size === 1 ? [...why][0] : ""].filter(Boolean).join(" ");
  return {
    kind: "alert",
    state: tellings.every(({ tell }) => tell === "resolved") ? "resolved" : "firing",
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
