import { evaluateSoon } from "@/lib/alert-schedule/evaluate-soon";
import { lockAlert, readAlert, toState, writeAct } from "@/lib/alerts/alert-row";
import type { Act } from "@/lib/alerts/asked-act";
import type { AlertDetail } from "@/lib/alerts/contract";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { ApiError } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** Applies a person's action to an open alert and adds it to the timeline. Throws 404, 409 if it is resolved. */
export async function actOnAlert(principal: Principal, id: string, act: Act): Promise<AlertDetail> {
  const { organizationId, actor } = principal;
  await auditedTransaction(async (tx, event) => {
    const row = await lockAlert(tx, organizationId, id);
    if (row.resolvedAt !== null) throw new ApiError("CONFLICT", "The alert is already resolved.");
    const state = act.on(toState(row), actor.name, Date.now());
    await writeAct(tx, row, state, { ...act.entry, actor: actor.name });
    await evaluateSoon(tx, organizationId);
    event.resource("alert", id);
  });
  return readAlert(organizationId, id);
}
