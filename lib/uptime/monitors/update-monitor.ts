import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { requireInterval } from "@/lib/billing/plan-limits";
import { requireTrustStore } from "@/lib/certificates/trust-stores/require-trust-store";
import { logFailure } from "@/lib/db/outage-log";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { check } from "@/lib/uptime/checks/check";
import type * as contract from "@/lib/uptime/contract";
import { type MonitorInput, monitorInput } from "@/lib/uptime/contract";
import { changeMonitor, inputOf } from "@/lib/uptime/monitors/change-monitor";
import { refuseDuplicateName, refuseUnusable } from "@/lib/uptime/monitors/create-monitor";
import { readMonitor, recordedMonitor, toMonitor, toMonitorToCheck } from "@/lib/uptime/monitors/monitor";
import { parseHttpTarget } from "@/lib/uptime/target";

/** Changes the given fields; checks immediately if the check itself changed. Throws 400, 402, 403, 404, 409. */
export async function updateMonitor(
  principal: Principal,
  { id, ...given }: Input<typeof contract.updateMonitor>,
): Promise<Output<typeof contract.updateMonitor>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const changed = await refuseDuplicateName(
    auditedTransaction(async (tx, event) => {
      const before = await tx.uptimeMonitor.findUnique({ where: { organizationId_id: { organizationId, id } } });
      if (before === null) throw notFound();
      event.resource("monitor", id);
      const input = merged(inputOf(before), given);
      if (given.headers === undefined) refuseHeadersAtNewOrigin(inputOf(before), input);
      refuseUnusable(input);
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

/** The complete input after the change. Throws 400 if a new target does not fit the monitor's type. */
function merged(before: MonitorInput, given: Partial<Record<keyof MonitorInput, unknown>>): MonitorInput {
  const whole = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const parsed = monitorInput.safeParse({ ...before, ...whole });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(issue?.path.join(".") ?? "body", issue?.message ?? "does not fit");
}

/** Headers hold credentials, which must not move to another origin. Throws 400. */
function refuseHeadersAtNewOrigin(before: MonitorInput, after: MonitorInput): void {
  if (before.type !== "http" || Object.keys(before.headers).length === 0) return;
  if (parseHttpTarget(before.target).origin === parseHttpTarget(after.target).origin) return;
  throw invalid("headers", "must be given again because target has another origin");
}
