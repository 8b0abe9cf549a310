import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { check } from "@/lib/uptime/checks/check";
import type * as contract from "@/lib/uptime/contract";
import { readMonitor, toMonitorToCheck, toUptimeCheck } from "@/lib/uptime/monitors/monitor";

/**
 * Checks a monitor now. Results change no settings, so the request's event suffices. If another check that began later ended earlier, its
 * result is returned. Throws 403, 404, 409 while paused, for heartbeats, and if the monitor was changed during the check.
 */
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
  if (checkId === null && (await readMonitor(organizationId, id)).version !== monitor.version)
    throw new ApiError("CONFLICT", "The monitor was changed during the check. Check it again.");
  const found = await db().uptimeCheck.findFirst({
    where: { organizationId, monitorId: id, ...(checkId !== null && { id: checkId }) },
    orderBy: { id: "desc" },
  });
  if (found === null) throw notFound();
  return toUptimeCheck(found);
}
