import { coveringSelector, hasEnabledChannel } from "@/lib/alert-selectors/covering-selector";
import type { Selector } from "@/lib/alert-selectors/selector";
import { countOpenAlerts } from "@/lib/alerts/count-open";
import { type Rule, toRule } from "@/lib/alerts/rules/alert-rule";
import { covers } from "@/lib/alerts/rules/covers";
import { notCoveredBy } from "@/lib/certificates/endpoints/not-covered";
import { db } from "@/lib/db/app";
import type { Prisma } from "@/lib/db/generated/app/client";
import type { Principal } from "@/lib/http/principal";
import { isUuid } from "@/lib/text/shapes/uuid";

/** Why nobody would be notified of a problem. */
export interface NotificationGaps {
  /** `none` and `disabled`: nobody is notified of anything. */
  channels: "none" | "disabled" | "enabled";
  openAlerts: number;
  /** The number of endpoints that no enabled rule covers. */
  endpoints: number;
  /** The number of monitors, except paused ones, that no enabled rule covers. */
  monitors: number;
  /** The number of active API keys that no enabled rule covers. */
  apiKeys: number;
  /** The number of domains whose issued certificates no enabled rule covers. */
  domains: number;
}

/** Problems without notifications: all if no channel is enabled, otherwise those that no enabled rule covers. */
export async function readNotificationGaps(principal: Principal): Promise<NotificationGaps> {
  const { organizationId } = principal;
  const [isEnabled, channel, open, rules, ofEndpoints, ofMonitors] = await Promise.all([
    hasEnabledChannel(organizationId),
    db().notificationChannel.findFirst({ where: { organizationId }, select: { id: true } }),
    countOpenAlerts(principal),
    db().alertRule.findMany({ where: { organizationId, enabled: true } }),
    coveringSelector(organizationId, "endpoint"),
    coveringSelector(organizationId, "monitor"),
  ]);
  const enabled = rules.map(toRule);
  const isActive = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
  const [endpoints, monitors, apiKeys, domains] = await Promise.all([
    isAll(ofEndpoints)
      ? 0
      : db().certificateEndpoint.count({ where: { organizationId, AND: notCoveredBy(ofEndpoints) } }),
    isAll(ofMonitors)
      ? 0
      : db().uptimeMonitor.count({ where: { organizationId, pausedAt: null, AND: notSelected(ofMonitors) } }),
    countUncovered(enabled, "api_key", (covered) =>
      db().apiKey.count({ where: { organizationId, id: { notIn: covered }, ...isActive } }),
    ),
    countUncovered(enabled, "domain", (covered) =>
      db().domain.count({ where: { organizationId, id: { notIn: covered } } }),
    ),
  ]);
  return {
    channels: isEnabled ? "enabled" : channel === null ? "none" : "disabled",
    openAlerts: open.filter(({ status }) => status === "open").reduce((sum, { count }) => sum + count, 0),
    endpoints,
    monitors,
    apiKeys,
    domains,
  };
}

/** The number of resources without tags that no rule covers: all but those that a rule names, unless one covers all of their type. */
async function countUncovered(
  rules: readonly Rule[],
  type: "api_key" | "domain",
  countExcept: (covered: string[]) => Promise<number>,
): Promise<number> {
  const isCovered = (ids: readonly string[]) => rules.some((rule) => covers(rule, { type, ids, tags: [] }));
  return isCovered([]) ? 0 : countExcept([...new Set(rules.flatMap(namedBy))].filter((id) => isCovered([id])));
}

/** The ids of the resources that a rule is about. */
function namedBy({ selector, condition }: Rule): string[] {
  const keys = condition.type === "event_count" ? (condition.query.api_key_id?.split(",") ?? []) : [];
  return [...selector.ids, ...keys.filter(isUuid)];
}

const isAll = (selector: Selector | null) =>
  selector !== null && selector.tags.length === 0 && selector.ids.length === 0;

function notSelected(selector: Selector | null): Prisma.UptimeMonitorWhereInput {
  if (selector === null) return {};
  return { NOT: { tags: { hasSome: [...selector.tags] } }, id: { notIn: [...selector.ids] } };
}
