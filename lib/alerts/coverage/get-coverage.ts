import { type CoverageChannel, nextStepAt, rulesCovering, toCoveringRule } from "@/lib/alerts/coverage/covering-rules";
import { lastMessage } from "@/lib/alerts/coverage/last-message";
import { readResource } from "@/lib/alerts/coverage/read-resource";
import { toRule } from "@/lib/alerts/rules/alert-rule";
import type * as contract from "@/lib/alerts/rules/coverage-contract";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { stateOf } from "@/lib/notification-channels/channel";
import type { ChannelType } from "@/lib/notification-channels/providers/types";

const MAX_RULES = 50;

/** Who is notified of problems of a resource. Throws 404. */
export async function getAlertCoverage(
  { organizationId }: Principal,
  { resource_type, resource_id }: Input<typeof contract.getAlertCoverage>,
): Promise<Output<typeof contract.getAlertCoverage>> {
  const resource = await readResource(organizationId, resource_type, resource_id);
  const [rows, channels, last_message] = await Promise.all([
    db().alertRule.findMany({ where: { organizationId, enabled: true } }),
    readEnabledChannels(organizationId),
    lastMessage(organizationId, resource),
  ]);
  const covering = rulesCovering(rows.map(toRule), resource);
  const rules = covering.map((rule) => toCoveringRule(rule, resource, channels));
  const { type, id, name } = resource;
  return {
    resource: { type, id, name },
    notified: covering.length > 0 && channels.length > 0,
    rule_count: covering.length,
    rules: rules.slice(0, MAX_RULES),
    next_at: nextStepAt(rules, new Date()),
    last_message,
  };
}

/** The channels that can receive messages, with their state. */
export async function readEnabledChannels(organizationId: string): Promise<CoverageChannel[]> {
  const rows = await db().notificationChannel.findMany({
    where: { organizationId, enabled: true },
    orderBy: { id: "asc" },
    select: { id: true, name: true, type: true, enabled: true, lastSentAt: true, lastFailedAt: true },
  });
  return rows.map((row) => ({ id: row.id, name: row.name, type: row.type as ChannelType, state: stateOf(row) }));
}
