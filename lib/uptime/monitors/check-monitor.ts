import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { check } from "@/lib/uptime/checks/check";
import type * as contract from "@/lib/uptime/contract";
import { readMonitor, toMonitorToCheck, toUptimeCheck } from "@/lib/uptime/monitors/monitor";

/** Checks a monitor now. Results change no settings, so the request's event suffices. Throws 403, 404, 409 while paused and for heartbeats. */
export async function checkMonitor(
  principal: Principal,
  { id }: Input<typeof contract.checkMonitor>,
): Promise<Output<typeof contract.checkMonitor>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const monitor = await readMonitor(organizationId, id);
  if (monitor.type === "heartbeat") throw new ApiError("CONFLICT", "A heartbeat is not checked: it waits for calls.");
  if (monitor.pausedAt !== null) throw new ApiError("CONFLICT", "The monitor is paused. Resume it before checking it.");
  const checkId = await check(toMonitorToCheck(monitor));
  const found =
    checkId === null
      ? null
      : await db().uptimeCheck.findUnique({
          where: { organizationId_monitorId_id: { organizationId, monitorId: id, id: checkId } },
        });
  if (found === null) throw notFound();
  return toUptimeCheck(found);
}
