import { applyRule, lockEvaluation, lockLive, readLive } from "@/lib/alerts/evaluation/apply-rule";
import { readAlertRule, readRuleRow, recordedRule, toRule } from "@/lib/alerts/rules/alert-rule";
import type * as contract from "@/lib/alerts/rules/contract";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Deletes a rule and resolves its alerts; their channels are notified. Throws 403, 404. */
export async function deleteAlertRule(
  principal: Principal,
  { id }: Input<typeof contract.deleteAlertRule>,
): Promise<Output<typeof contract.deleteAlertRule>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const last = await readAlertRule(organizationId, id);
  await auditedTransaction(async (tx, event) => {
    await lockEvaluation(tx, organizationId);
    const row = await readRuleRow(tx, organizationId, id);
    const rule = toRule(row);
    const now = new Date();
    await lockLive(tx, organizationId, now);
    const alerts = (await readLive(tx, organizationId, now)).get(id) ?? [];
    // No later evaluation could send notifications that quiet hours hold back.
    const ended = { ...rule, enabled: false, quietHours: null };
    await applyRule(tx, organizationId, ended, [], alerts, { now, isMassFailure: false });
    await tx.alert.updateMany({ where: { organizationId, ruleId: id, live: true }, data: { live: false } });
    await tx.alertRule.deleteMany({ where: { organizationId, id } });
    event.resource("alert_rule", id);
    recordChanges(event, row.name, await recordedRule(tx, row), null);
  });
  return last;
}
