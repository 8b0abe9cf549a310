import { readChannels, readLive } from "@/lib/alerts/evaluation/apply-rule";
import { countEventsOf } from "@/lib/alerts/evaluation/count-events";
import { evaluate } from "@/lib/alerts/evaluation/evaluate";
import { factsOf, unjudgedSubjects } from "@/lib/alerts/evaluation/facts";
import { isMassFailure } from "@/lib/alerts/evaluation/mass-failure";
import { channelsOf } from "@/lib/alerts/evaluation/notifications";
import { readAlertRule, readRuleRow, toRule } from "@/lib/alerts/rules/alert-rule";
import type * as contract from "@/lib/alerts/rules/contract";
import { isQuiet } from "@/lib/alerts/rules/quiet-hours";
import { readDestinationLags } from "@/lib/alerts/situation/destination-lags";
import { readLogFaults } from "@/lib/alerts/situation/log-faults";
import { readSituation } from "@/lib/alerts/situation/read-situation";
import { readSlowOf } from "@/lib/alerts/situation/slow-monitors";
import { inTransaction, sendIn } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";

/** The result of evaluating a rule now, without changing or sending anything and without new events. Throws 403, 404. */
export async function testAlertRule(
  principal: Principal,
  { id }: Input<typeof contract.testAlertRule>,
): Promise<Output<typeof contract.testAlertRule>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const now = new Date();
  const isHeld = await isMassFailure(organizationId);
  const known = await readAlertRule(organizationId, id);
  const { condition } = known;
  const eventCounts = await countEventsOf(organizationId, condition, now);
  const logFaults = await readLogFaults(organizationId, [condition]);
  const destinationLags = await readDestinationLags(organizationId, [condition]);
  const latencies = await readSlowOf(organizationId, known, now);
  const before = { events: [], eventCounts, logFaults, destinationLags, ...latencies };
  return inTransaction(async (tx) => {
    const rule = toRule(await readRuleRow(tx, organizationId, id));
    const situation = await readSituation(sendIn(tx), organizationId, [rule], before, now);
    const alerts = (await readLive(tx, organizationId, now)).get(id) ?? [];
    const changes = evaluate(rule, factsOf(rule, situation), alerts, {
      now: now.getTime(),
      isMassFailure: isHeld,
      unjudged: unjudgedSubjects(rule, situation),
      newId,
    });
    const channels = await readChannels(tx, organizationId);
    return {
      held: isHeld || (rule.quietHours !== null && isQuiet(rule.quietHours, now.getTime())),
      outcomes: changes.map(({ alert, isNew, entries, reason }) => ({
        alert_id: isNew ? null : alert.id,
        subject: alert.subject,
        certificate_id: alert.certificateId,
        entries: entries.map(({ kind }) => kind),
        tell: reason,
        channels: reason === null ? [] : channelsOf(rule.steps, alert, channels).map(({ id, name }) => ({ id, name })),
      })),
    };
  });
}
