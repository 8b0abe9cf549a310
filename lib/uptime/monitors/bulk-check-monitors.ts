import { shortestIntervalSeconds } from "@/lib/billing/plan-limits";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { queueChecks } from "@/lib/jobs/queue-checks";
import type * as contract from "@/lib/uptime/monitors/bulk-contract";

/** Makes monitors due, except those that were checked within the plan's shortest interval. Throws 403, 404. */
export async function bulkCheckMonitors(
  principal: Principal,
  { ids, tag }: Input<typeof contract.bulkCheckMonitors>,
): Promise<Output<typeof contract.bulkCheckMonitors>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const rest = await shortestIntervalSeconds(organizationId);
  const isChecked = "t.paused_at IS NULL AND t.type <> 'heartbeat'";
  return { queued: await queueChecks("uptime_monitors", isChecked, { organizationId, ids, tag }, rest) };
}
