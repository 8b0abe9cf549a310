import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { requireInterval } from "@/lib/billing/plan-limits";
import { requireTrustStore } from "@/lib/certificates/trust-stores/require-trust-store";
import { logFailure } from "@/lib/db/outage-log";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalidFields, notFound, refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { check } from "@/lib/uptime/checks/check";
import type * as contract from "@/lib/uptime/contract";
import { changeMonitor, inputOf } from "@/lib/uptime/monitors/change-monitor";
import { SAME_NAME } from "@/lib/uptime/monitors/create-monitor";
import { mergeInput } from "@/lib/uptime/monitors/merge-input";
import { readMonitor, recordedMonitor, toMonitor, toMonitorToCheck } from "@/lib/uptime/monitors/monitor";

/** Changes the given fields; checks immediately if the check itself changed. Throws 400, 402, 403, 404, 409. */
export async function updateMonitor(
  principal: Principal,
  { id, ...given }: Input<typeof contract.updateMonitor>,
): Promise<Output<typeof contract.updateMonitor>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const changed = await refuseDuplicate(
    SAME_NAME,
    auditedTransaction(async (tx, event) => {
      const before = await tx.uptimeMonitor.findUnique({ where: { organizationId_id: { organizationId, id } } });
      if (before === null) throw notFound();
      event.resource("monitor", id);
      const merged = mergeInput(before, given);
      if ("issues" in merged) throw invalidFields(merged.issues);
      const { input } = merged;
      if (input.interval_seconds < before.intervalSeconds) {
        await requireInterval(tx, organizationId, input.interval_seconds);
      }
      await requireTrustStore(tx, organizationId, input.trust_store_id);
      recordChanges(event, before.name, recordedMonitor(inputOf(before)), recordedMonitor(input));
      return changeMonitor(tx, before, input, true);
    }),
  );
  if (changed?.isAfresh && changed.row.pausedAt === null && changed.row.type !== "heartbeat") {
    await check(toMonitorToCheck(changed.row)).catch((error: unknown) => {
      logFailure("could not check a changed monitor immediately", error, { monitor_id: id });
    });
  }
  return toMonitor(await readMonitor(organizationId, id));
}
