import type * as contract from "@/lib/analytics/contract";
import { COUNTS, queryInUse } from "@/lib/analytics/in-use";
import type { Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** Issuers of the certificates in use. */
export async function getAnalyticsIssuers({
  organizationId,
}: Principal): Promise<Output<typeof contract.getAnalyticsIssuers>> {
  const rows = await queryInUse<{ issuer: string; certificates: number; endpoints: number; soonest: Date }>(
    organizationId,
    `SELECT issuer, ${COUNTS}, min(not_after) AS soonest FROM in_use GROUP BY issuer ORDER BY certificates DESC, issuer LIMIT 100`,
  );
  return {
    issuers: rows.map(({ soonest, ...row }) => ({ ...row, soonest_not_after: soonest.toISOString() })),
  };
}
