import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { requireInterval } from "@/lib/billing/plan-limits";
import { requireTrustStore } from "@/lib/certificates/trust-stores/require-trust-store";
import type { UptimeMonitor as Row } from "@/lib/db/generated/app/client";
import { logFailure } from "@/lib/db/outage-log";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalidFields, notFound, refuseDuplicate } from "@/lib/http/errors";
import { issuesOf } from "@/lib/http/input";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { check } from "@/lib/uptime/checks/check";
import type * as contract from "@/lib/uptime/contract";
import { type MonitorInput, monitorInput } from "@/lib/uptime/fields";
import { changeMonitor, inputOf } from "@/lib/uptime/monitors/change-monitor";
import { SAME_NAME } from "@/lib/uptime/monitors/create-monitor";
import {
  headerNamesOf,
  readMonitor,
  recordedMonitor,
  shownOf,
  toMonitor,
  toMonitorToCheck,
} from "@/lib/uptime/monitors/monitor";
import { parseHttpTarget } from "@/lib/uptime/target";

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
      const input = merged(inputOf(before), given);
      refuseSecretsAtNewOrigin(before, given, input);
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

/** The complete input after the change. Throws 400 with every field that does not fit the others. */
function merged(before: MonitorInput, given: Partial<Record<keyof MonitorInput, unknown>>): MonitorInput {
  const whole = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const parsed = monitorInput.safeParse({ ...before, ...whole });
  if (parsed.success) return parsed.data;
  throw invalidFields(issuesOf(parsed.error));
}

type Given = Partial<Record<"headers" | "authentication", unknown>>;

/** Headers and authentication hold credentials, which must not move to another origin. Throws 400. */
function refuseSecretsAtNewOrigin(before: Row, given: Given, after: MonitorInput): void {
  if (originOf(before.type, before.target) === originOf(after.type, after.target)) return;
  const kept = [
    ...(headerNamesOf(before).length > 0 && given.headers === undefined ? ["headers"] : []),
    ...(shownOf(before).type !== "none" && given.authentication === undefined ? ["authentication"] : []),
  ];
  if (kept.length === 0) return;
  throw invalidFields(kept.map((path) => ({ path, message: "must be given again because target has another origin" })));
}

function originOf(type: string, target: string): string {
  return type === "http" ? parseHttpTarget(target).origin : target;
}
