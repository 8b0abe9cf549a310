import { shortestIntervalSeconds } from "@/lib/billing/plan-limits";
import type * as contract from "@/lib/certificates/endpoints/bulk-contract";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { queueChecks } from "@/lib/jobs/queue-checks";

/** Makes endpoints due, except those that were checked within the plan's shortest interval. Throws 403, 404. */
export async function bulkCheckEndpoints(
  principal: Principal,
  { ids, tag }: Input<typeof contract.bulkCheckEndpoints>,
): Promise<Output<typeof contract.bulkCheckEndpoints>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const rest = await shortestIntervalSeconds(organizationId);
  return { queued: await queueChecks("certificate_endpoints", "NOT t.reported", { organizationId, ids, tag }, rest) };
}
