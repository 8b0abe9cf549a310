import { evaluateSoon } from "@/lib/alert-schedule/evaluate-soon";
import {
  assertChannels,
  assertCountingRules,
  lockCountingRules,
  readAlertRule,
  readRuleRow,
  recordedRule,
  ruleColumns,
  SAME_NAME,
  toAlertRule,
} from "@/lib/alerts/rules/alert-rule";
import { faultsOf } from "@/lib/alerts/rules/conditions";
import type * as contract from "@/lib/alerts/rules/contract";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { lockRows } from "@/lib/db/lock-rows";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalidFields, refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Changes the given fields of a rule. Throws 400 if the result is inconsistent, 403, 404, 409. */
export async function updateAlertRule(
  principal: Principal,
  { id, ...given }: Input<typeof contract.updateAlertRule>,
): Promise<Output<typeof contract.updateAlertRule>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  await refuseDuplicate(
    SAME_NAME,
    auditedTransaction(async (tx, event) => {
      // The rule first, as If-Match does.
      await lockRows(tx, "alert_rules", organizationId, [id]);
      await lockCountingRules(tx, organizationId, given.condition);
      const row = await readRuleRow(tx, organizationId, id);
      const before = toAlertRule(row, 0);
      const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const rule = { ...before, ...(changes as Partial<typeof before>) };
      const issues = faultsOf(rule);
      if (issues.length > 0) throw invalidFields(issues);
      if (given.steps !== undefined) await assertChannels(tx, organizationId, given.steps);
      if (rule.condition.type !== before.condition.type) {
        await assertCountingRules(tx, organizationId, rule.condition);
      }
      const after = await tx.alertRule.update({
        where: { organizationId_id: { organizationId, id } },
        data: { ...ruleColumns(rule), updatedAt: new Date() },
      });
      await evaluateSoon(tx, organizationId);
      event.resource("alert_rule", id);
      recordChanges(event, row.name, await recordedRule(tx, row), await recordedRule(tx, after));
    }),
  );
  return readAlertRule(organizationId, id);
}
