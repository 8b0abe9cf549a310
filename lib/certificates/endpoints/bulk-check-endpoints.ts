import type * as contract from "@/lib/certificates/endpoints/bulk-contract";
import { db, pool } from "@/lib/db/app";
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
  await pool().query(
    `WITH later AS (
       SELECT id FROM certificate_endpoints
       WHERE organization_id = $1 AND NOT reported AND next_check_at > $2 AND ${ids === undefined ? "tags @> ARRAY[$3::text]" : "id = ANY ($3::uuid[])"}
       ORDER BY id FOR NO KEY UPDATE
     )
     UPDATE certificate_endpoints e SET next_check_at = $2 FROM later WHERE e.organization_id = $1 AND e.id = later.id`,
    [organizationId, now, ids ?? tag],
  );
  return { queued: await db().certificateEndpoint.count({ where: chosen }) };
}
