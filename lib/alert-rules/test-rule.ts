import { readRuleRow, toRule } from "@/lib/alert-rules/alert-rule";
import type * as contract from "@/lib/alert-rules/contract";
import { isQuiet } from "@/lib/alert-rules/quiet-hours";
import { readChannels, readLive } from "@/lib/alerts/apply-rule";
import { evaluate } from "@/lib/alerts/evaluate";
import { factsOf } from "@/lib/alerts/facts";
import { isMassFailure } from "@/lib/alerts/mass-failure";
import { readSituation } from "@/lib/alerts/situation";
import { channelsOf } from "@/lib/alerts/tellings";
import type { Input, Output } from "@/lib/api/endpoint";
import { type Principal, requireAdmin } from "@/lib/auth/principal";
import { db } from "@/lib/db/app";
import { newId } from "@/lib/ids";

/** What an evaluation of a rule would do now. Changes and sends nothing; new events are not looked at. Throws 403, 404. */
export async function testAlertRule(
  principal: Principal,
  { id }: Input<typeof contract.testAlertRule>,
): Promise<Output<typeof contract.testAlertRule>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const now = new Date();
  const isHeld = await isMassFailure(organizationId);
  return db().$transaction(async (tx) => {
    const rule = toRule(await readRuleRow(tx, organizationId, id));
    const situation = await readSituation(tx, organizationId, [rule], [], now);
    const alerts = (await readLive(tx, organizationId, now)).get(id) ?? [];
    const changes = evaluate(rule, factsOf(rule, situation), alerts, {
      now: now.getTime(),
      isMassFailure: isHeld,
      newId,
    });
    const channels = await readChannels(tx, organizationId);
    return {
      held: isHeld || (rule.quietHours !== null && isQuiet(rule.quietHours, now.getTime())),
      outcomes: changes.map(({ alert, isNew, entries, tell }) => ({
        alert_id: isNew ? null : alert.id,
        subject: alert.subject,
        certificate_id: alert.certificateId,
        entries: entries.map(({ kind }) => kind),
        tell,
        channels: tell === null ? [] : channelsOf(rule.steps, alert, channels).map(({ id, name }) => ({ id, name })),
      })),
    };
  });
}
