import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type * as contract from "@/lib/uptime/monitors/bulk-contract";

/** Makes monitors due now. Monitors that were already due come first, because the oldest is checked first. Throws 403. */
export async function bulkCheckMonitors(
  principal: Principal,
  { ids, tag }: Input<typeof contract.bulkCheckMonitors>,
): Promise<Output<typeof contract.bulkCheckMonitors>> {
  requireAdmin(principal);
  const now = new Date();
  const { organizationId } = principal;
  const chosen = {
    organizationId,
    pausedAt: null,
    type: { not: "heartbeat" },
    ...(ids !== undefined && { id: { in: ids } }),
    ...(tag !== undefined && { tags: { has: tag } }),
  };
  await db().uptimeMonitor.updateMany({ where: { ...chosen, nextCheckAt: { gt: now } }, data: { nextCheckAt: now } });
  return { queued: await db().uptimeMonitor.count({ where: chosen }) };
}
