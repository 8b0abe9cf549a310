import { coveringSelector, hasEnabledChannel } from "@/lib/alert-selectors/covering-selector";
import type { Selector } from "@/lib/alert-selectors/selector";
import { countOpenAlerts } from "@/lib/alerts/count-open";
import { notCoveredBy } from "@/lib/certificates/endpoints/not-covered";
import { db } from "@/lib/db/app";
import type { Prisma } from "@/lib/db/generated/app/client";
import type { Principal } from "@/lib/http/principal";

/** Why nobody would be notified of a problem. */
export interface NotificationGaps {
  /** `none` and `disabled`: nobody is notified of anything. */
  channels: "none" | "disabled" | "enabled";
  openAlerts: number;
  /** The number of endpoints that no enabled rule covers. */
  endpoints: number;
  /** The number of monitors, except paused ones, that no enabled rule covers. */
  monitors: number;
}

/** Problems without notifications: all if no channel is enabled, otherwise those that no enabled rule covers. */
export async function readNotificationGaps(principal: Principal): Promise<NotificationGaps> {
  const { organizationId } = principal;
  const [isEnabled, channel, open, ofEndpoints, ofMonitors] = await Promise.all([
    hasEnabledChannel(organizationId),
    db().notificationChannel.findFirst({ where: { organizationId }, select: { id: true } }),
    countOpenAlerts(principal),
    coveringSelector(organizationId, "endpoint"),
    coveringSelector(organizationId, "monitor"),
  ]);
  const [endpoints, monitors] = await Promise.all([
    isAll(ofEndpoints)
      ? 0
      : db().certificateEndpoint.count({ where: { organizationId, AND: notCoveredBy(ofEndpoints) } }),
    isAll(ofMonitors)
      ? 0
      : db().uptimeMonitor.count({ where: { organizationId, pausedAt: null, AND: notSelected(ofMonitors) } }),
  ]);
  return {
    channels: isEnabled ? "enabled" : channel === null ? "none" : "disabled",
    openAlerts: open.filter(({ status }) => status === "open").reduce((sum, { count }) => sum + count, 0),
    endpoints,
    monitors,
  };
}

const isAll = (selector: Selector | null) =>
  selector !== null && selector.tags.length === 0 && selector.ids.length === 0;

function notSelected(selector: Selector | null): Prisma.UptimeMonitorWhereInput {
  if (selector === null) return {};
  return { NOT: { tags: { hasSome: [...selector.tags] } }, id: { notIn: [...selector.ids] } };
}
