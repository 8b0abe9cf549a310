import { evaluateSoon } from "@/lib/alert-schedule/evaluate-soon";
import {
  assertChannels,
  assertCountingRules,
  recordedRule,
  ruleColumns,
  SAME_NAME,
  toAlertRule,
} from "@/lib/alerts/rules/alert-rule";
import type * as contract from "@/lib/alerts/rules/contract";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { requireRoom } from "@/lib/billing/plan-limits";
import type { Input, Output } from "@/lib/http/endpoint";
import { refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";

/** Creates an alert rule, which the worker evaluates immediately. Throws 400, 402, 403, 409. */
export async function createAlertRule(
  principal: Principal,
  input: Input<typeof contract.createAlertRule>,
): Promise<Output<typeof contract.createAlertRule>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const now = new Date();
  return refuseDuplicate(
    SAME_NAME,
    auditedTransaction(async (tx, event) => {
      await requireRoom(tx, organizationId, "alert_rules", 1);
      await assertCountingRules(tx, organizationId, input.condition);
      await assertChannels(tx, organizationId, input.steps);
      const row = await tx.alertRule.create({
        data: { organizationId, id: newId(), ...ruleColumns(input), createdAt: now, updatedAt: now },
      });
      await evaluateSoon(tx, organizationId);
      event.resource("alert_rule", row.id);
      recordChanges(event, row.name, null, await recordedRule(tx, row));
      return toAlertRule(row, 0);
    }),
  );
}
