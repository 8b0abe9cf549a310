import type * as contract from "@/lib/certificates/renewals/renewal-contract";
import { pool } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** Maximum number of owners to return. */
const MAX_OWNERS = 200;

/** The number of certificates that each owner must renew, first due first. */
export async function listRenewalOwners(
  { organizationId }: Principal,
  { days }: Input<typeof contract.listRenewalOwners>,
): Promise<Output<typeof contract.listRenewalOwners>> {
  const { rows } = await pool("report").query<{ owner: string; renewals: number; due: number; next: Date }>(
    `SELECT owner, count(DISTINCT certificate_id)::integer AS renewals, min(renewal_due_at) AS next,
       (count(DISTINCT certificate_id) FILTER (WHERE renewal_due_at <= now()))::integer AS due
     FROM certificate_endpoints
     WHERE organization_id = $1 AND renewal_due_at < now() + make_interval(days => $2) AND certificate_id IS NOT NULL
     GROUP BY owner ORDER BY next, owner LIMIT ${MAX_OWNERS}`,
    [organizationId, days],
  );
  return {
    owners: rows.map(({ owner, renewals, due, next }) => ({
      owner: owner === "" ? null : owner,
      ...{ renewals, due, next_due_at: next.toISOString() },
    })),
  };
}
