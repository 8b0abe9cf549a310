import { countByOrganization, defaultSlots, type Slots } from "@/lib/jobs/leased-work";

/** A condition on the organization `o`: its deletion is not due. Until then everything keeps running. */
export const IS_KEPT = "(o.deletion_due_at IS NULL OR o.deletion_due_at > now())";

/**
 * Common table expressions of a statement that leases due rows in fair shares: each organization gets the same number of slots,
 * including those already in use, and others use its spare slots. With fewer slots than organizations, the choice is random, so that
 * none is always first. `due` has at most $1 rows; parameters are those of `fairLeaseValues`.
 */
export function fairLease(given: {
  /** A condition on the organization `o`: it has due rows. */
  isWaiting: string;
  /** Selects due rows of the organization `waiting.organization_id` with `due_at`; `limit` limits and locks them. */
  candidates: (limit: string) => string;
}): string {
  return `busy AS (SELECT * FROM unnest($2::uuid[], $3::integer[]) AS busy (organization_id, running)),
    waiting AS MATERIALIZED (
      SELECT o.id AS organization_id, coalesce(busy.running, 0) AS running FROM organizations o
      LEFT JOIN busy ON busy.organization_id = o.id
      WHERE coalesce(busy.running, 0) < $5 AND ${given.isWaiting}
    ),
    fair AS (
      SELECT least($5, ceil($4::numeric / greatest(1, count(*)))) AS share
      FROM (SELECT organization_id FROM waiting UNION SELECT organization_id FROM busy) AS active
    ),
    due AS MATERIALIZED (
      SELECT own.*
      FROM waiting CROSS JOIN fair CROSS JOIN LATERAL (
        SELECT candidate.*, row_number() OVER (ORDER BY candidate.due_at) AS turn FROM (
          ${given.candidates("LIMIT greatest(0, fair.share - waiting.running)")}
        ) AS candidate
      ) AS own
      ORDER BY waiting.running + own.turn, random() LIMIT $1
    )`;
}

/** The values of $1 to $5: free slots, organizations with running items, their numbers of items, total slots, slots per organization. */
export function fairLeaseValues(
  most: number,
  running: readonly { organizationId: string }[],
  { total, perOrganization }: Slots = defaultSlots,
): unknown[] {
  const counts = countByOrganization(running);
  return [most, [...counts.keys()], [...counts.values()], total, perOrganization];
}
