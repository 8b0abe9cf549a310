import { evaluateSoon } from "@/lib/alert-schedule/evaluate-soon";
import { statusOf, toState, writeAct } from "@/lib/alerts/alert-row";
import { askedAct } from "@/lib/alerts/asked-act";
import type * as contract from "@/lib/alerts/contract";
import { auditedByIds } from "@/lib/audit-logs/write/audited-bulk";
import type { Alert as Row } from "@/lib/db/generated/app/client";
import { lockRows } from "@/lib/db/lock-rows";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type { BulkOutcome } from "@/lib/http/schemas/bulk";
import { mapInTurns } from "@/lib/turns";

type Asked = Input<typeof contract.bulkActOnAlerts>;

/** Acknowledges, snoozes or resolves alerts. Resolved alerts fail alone, or are unchanged by `resolve`. Throws 400, 403. */
export async function bulkActOnAlerts(
  principal: Principal,
  { ids, ...asked }: Asked,
): Promise<Output<typeof contract.bulkActOnAlerts>> {
  requireAdmin(principal);
  const { organizationId, actor } = principal;
  const act = askedAct(asked);
  return auditedByIds("alert", ids, async (tx, changes) => {
    await lockRows(tx, "alerts", organizationId, ids);
    const rows = await tx.alert.findMany({ where: { organizationId, id: { in: ids } }, orderBy: { id: "asc" } });
    const results = await mapInTurns(rows, async (row): Promise<BulkOutcome> => {
      const refusal = refusalOf(row, asked);
      if (refusal !== null) return { id: row.id, ...refusal };
      const state = act.on(toState(row), actor.name, Date.now());
      await writeAct(tx, row, state, { ...act.entry, actor: actor.name });
      const before = statusOf(row);
      // An acknowledged alert that is snoozed stays snoozed.
      const after = act.status === "acknowledged" && before === "snoozed" ? before : act.status;
      changes.update({ id: row.id, name: row.subjectName }, { status: before }, { status: after });
      return { id: row.id, status: "updated", error: null };
    });
    await evaluateSoon(tx, organizationId);
    return results;
  });
}

/** Why an alert stays as it is; null if it changes. */
function refusalOf(row: Row, { action, until }: Omit<Asked, "ids">): Omit<BulkOutcome, "id"> | null {
  if (row.resolvedAt !== null) {
    if (action === "resolve") return { status: "unchanged", error: null };
    return { status: "failed", error: "The alert is already resolved." };
  }
  const isAcknowledged = action === "acknowledge" && row.acknowledgedAt !== null;
  const isSnoozed = action === "snooze" && row.snoozedUntil?.getTime() === until;
  return isAcknowledged || isSnoozed ? { status: "unchanged", error: null } : null;
}
