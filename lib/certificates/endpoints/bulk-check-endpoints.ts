import type * as contract from "@/lib/certificates/endpoints/bulk-contract";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Makes endpoints due now. Endpoints that were already due come first, because the oldest is checked first. Throws 403. */
export async function bulkCheckEndpoints(
  principal: Principal,
  { ids, tag }: Input<typeof contract.bulkCheckEndpoints>,
): Promise<Output<typeof contract.bulkCheckEndpoints>> {
  requireAdmin(principal);
  const now = new Date();
  const { organizationId } = principal;
  const chosen = {
    organizationId,
    reported: false,
    ...(ids !== undefined && { id: { in: ids } }),
    ...(tag !== undefined && { tags: { has: tag } }),
  };
  await db().certificateEndpoint.updateMany({
    where: { ...chosen, nextCheckAt: { gt: now } },
    data: { nextCheckAt: now },
  });
  return { queued: await db().certificateEndpoint.count({ where: chosen }) };
}
