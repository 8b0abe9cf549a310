import { readResource } from "@/lib/alerts/coverage/read-resource";
import { channelsOf } from "@/lib/alerts/evaluation/notifications";
import { readAlertRule } from "@/lib/alerts/rules/alert-rule";
import type * as contract from "@/lib/alerts/rules/coverage-contract";
import { isQuiet } from "@/lib/alerts/rules/quiet-hours";
import { config } from "@/lib/config";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { sendTests } from "@/lib/notification-channels/deliveries/send-tests";

const MAX_CHANNELS = 20;

/**
 * Sends a test message to every channel that the rule's steps notify, with the code that selects the channels of alerts, and returns
 * the results. Opens no alert. Throws 403, 404, 503.
 */
export async function sendAlertRuleTest(
  principal: Principal,
  { id, resource }: Input<typeof contract.sendAlertRuleTest>,
): Promise<Output<typeof contract.sendAlertRuleTest>> {
  requireAdmin(principal);
  const { organizationId, actor } = principal;
  const rule = await readAlertRule(organizationId, id);
  const about =
    resource === null ? "" : ` for ${(await readResource(organizationId, resource.type, resource.id)).name}`;
  const channels = await db().notificationChannel.findMany({
    where: { organizationId, enabled: true },
    orderBy: { id: "asc" },
  });
  const reached = channels.flatMap((channel) => {
    const step = rule.steps.findIndex((_, at) => channelsOf(rule.steps, { step: at }, channels).includes(channel));
    return step === -1 ? [] : [{ channel, step: step + 1 }];
  });
  const tested = reached.slice(0, MAX_CHANNELS);
  const messages = tested.map(({ channel, step }) => ({
    channel,
    title: `Rule “${rule.name}”, step ${step}`,
    text: `${actor.name} sent this test${about} through step ${step} of the rule. If you can read it, its alerts reach you here.`,
    url: `${config().PUBLIC_URL}/alert-rules/${id}`,
  }));
  const deliveries = await sendTests(organizationId, messages, (event) => event.resource("alert_rule", id));
  return {
    enabled: rule.enabled,
    held: rule.quiet_hours !== null && isQuiet(rule.quiet_hours, Date.now()),
    channel_count: reached.length,
    results: deliveries.map((delivery, at) => ({ step: tested[at]?.step ?? 1, delivery })),
  };
}
