import { type AlertState, isMoreSevere } from "@/lib/alerts/alert-state";
import { adviceFor } from "@/lib/alerts/cause-advice";
import type { Change } from "@/lib/alerts/evaluation/evaluate";
import { type IncidentUpdate, incidentUpdates, type PendingNotification } from "@/lib/alerts/evaluation/incidents";
import type { Step } from "@/lib/alerts/rules/conditions";
import type { Resource } from "@/lib/alerts/situation/read-resources";
import { subjectPath } from "@/lib/alerts/subject-path";
import type { Severity } from "@/lib/certificates/findings";
import { mostSevere } from "@/lib/certificates/findings";
import { type AlertData, MAX_ITEMS, type Message } from "@/lib/notification-channels/providers/message";
import type { Notification } from "@/lib/notification-channels/queue/enqueue";

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
  /** By alert id; an alert without it has no tags, no certificate and no way of renewal. */
  resources: ReadonlyMap<string, Resource>;
}

/** Whether the provider of a channel has incidents, which begin and end. */
export const tracksIncidents = ({ type }: Pick<Channel, "type">) => type === "pagerduty";

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

/** Whether the provider of a channel has an incident of an alert. */
const tracks = (channel: Channel, { trackedBy = [] }: AlertState) =>
  tracksIncidents(channel) && trackedBy.includes(channel.id);

/**
 * The channels that a notification goes to. An end goes to those that track it too: the rule may have other channels by now, or a channel
 * that was disabled may be enabled again.
 */
export function receiversOf(
  steps: readonly Step[],
  { alert, reason }: PendingNotification,
  enabled: readonly Channel[],
): readonly Channel[] {
  const reached = channelsOf(steps, alert, enabled);
  return reason === "resolved" ? enabled.filter((each) => reached.includes(each) || tracks(each, alert)) : reached;
}

/**
 * The messages of an evaluation of a rule: per channel, one for all opened, raised and repeated alerts and one for all resolved
 * alerts. Providers that track incidents get one per incident, and the end of each that they know. `after` are the rule's alerts after the
 * evaluation.
 */
export function messagesOf(of: Of, changes: readonly Change[], after: readonly AlertState[]): Notification[] {
  const { id: ruleId, steps } = of.rule;
  const pending = changes.flatMap(({ alert, reason }): PendingNotification[] =>
    reason === null ? [] : [{ alert, reason }],
  );
  return of.channels.flatMap((channel) => {
    const reaches = (alert: AlertState) => channelsOf(steps, alert, of.channels).includes(channel);
    const mine = pending.filter((each) => receiversOf(steps, each, of.channels).includes(channel));
    const updates = tracksIncidents(channel)
      ? incidentUpdates(
          ruleId,
          mine,
          after.filter((alert) => reaches(alert) || tracks(channel, alert)),
        )
      : [
          { key: ruleId, pending: mine.filter(({ reason }) => reason !== "resolved") },
          { key: ruleId, pending: mine.filter(({ reason }) => reason === "resolved") },
        ];
    return updates
      .filter(({ pending }) => pending.length > 0)
      .map((update) => ({
        channelId: channel.id,
        message: messageOf(of, update),
        alertIds: update.pending.map(({ alert }) => alert.id),
      }));
  });
}

const WHY: Record<Exclude<PendingNotification["reason"], "resolved">, string> = {
  opened: "",
  raised: "The severity increased, or new problems were found.",
  repeated: "Reminder: the problem persists.",
};

/** By whom or what alerts were resolved. */
const WHY_RESOLVED: Record<NonNullable<AlertState["resolvedBy"]>, string> = {
  cause: "The problem is resolved.",
  person: "A person resolved the alert. The problem may persist.",
  rule: "The rule was disabled or deleted. The problem may persist.",
};

const whyOf = ({ alert, reason }: PendingNotification) =>
  reason === "resolved" ? WHY_RESOLVED[alert.resolvedBy ?? "cause"] : WHY[reason];

/** What programs get to know of an alert. */
function dataOf(alert: AlertState, { baseUrl, resources }: Of): AlertData {
  const { subject, causes, certificateId, openedAt, resolvedAt, resolvedBy } = alert;
  const { tags = [], notAfter = null, isRenewedByHand = false } = resources.get(alert.id) ?? {};
  return {
    resource: { ...subject, url: baseUrl + subjectPath(alert) },
    causes: [...causes],
    advice: adviceFor(causes, isRenewedByHand),
    tags: [...tags],
    certificate_id: certificateId,
    not_after: notAfter?.toISOString() ?? null,
    opened_at: new Date(openedAt).toISOString(),
    resolved_at: resolvedAt === null ? null : new Date(resolvedAt).toISOString(),
    resolved_by: resolvedBy,
  };
}

function messageOf(of: Of, { key, pending }: IncidentUpdate): Message {
  const { rule, baseUrl, now } = of;
  const alerts = pending
    .map(({ alert }) => alert)
    .sort((a, b) => Number(isMoreSevere(b.severity, a.severity)) - Number(isMoreSevere(a.severity, b.severity)));
  const [first] = alerts;
  const severity: Severity = mostSevere(alerts.map((alert) => alert.severity)) ?? "info";
  const single = alerts.length === 1 ? first : undefined;
  const why = new Set(pending.map(whyOf));
  const text = [`Rule “${rule.name}”.`, why.size === 1 ? [...why][0] : ""].filter(Boolean).join(" ");
  return {
    kind: "alert",
    state: pending.every(({ reason }) => reason === "resolved") ? "resolved" : "firing",
    severity,
    title: single ? `${single.subject.name}: ${single.detail}` : `${rule.name}: ${alerts.length} alerts`,
    text,
    items: alerts.slice(0, MAX_ITEMS).map((alert) => ({
      subject: alert.subject.name,
      detail: alert.detail,
      severity: alert.severity,
      url: `${baseUrl}/alerts/${alert.id}`,
      alert_id: alert.id,
      about: dataOf(alert, of),
    })),
    rule: { id: rule.id, name: rule.name },
    more: Math.max(0, alerts.length - MAX_ITEMS),
    url: single ? `${baseUrl}/alerts/${single.id}` : `${baseUrl}/alerts?rule_id=${rule.id}`,
    key,
    at: now.toISOString(),
  };
}
