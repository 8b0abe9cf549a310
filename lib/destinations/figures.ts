import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { firstUnsent } from "@/lib/destinations/lag";
import { type DestinationState, destinationStates, STATE_SQL } from "@/lib/destinations/states";
import { NOBODY } from "@/lib/ids";
import { IS_KEPT } from "@/lib/jobs/fair-lease";

/** Organizations whose destinations are looked at together. */
const PAGE_SIZE = 10_000;

const STATES = `SELECT count(*)::integer AS count, ${STATE_SQL} AS state
  FROM destinations d JOIN organizations o ON o.id = d.organization_id WHERE ${IS_KEPT} GROUP BY state`;

/** How far each organization's destination is that is furthest behind, without those that a person has paused. */
const FURTHEST = `SELECT DISTINCT ON (d.organization_id) d.organization_id, d.epoch, d.scanned_index::text AS scanned
  FROM destinations d JOIN organizations o ON o.id = d.organization_id
  WHERE ${IS_KEPT} AND (d.paused_at IS NULL OR d.paused_reason IS NOT NULL) AND d.organization_id > $1
  ORDER BY d.organization_id, d.epoch, d.scanned_index LIMIT ${PAGE_SIZE}`;

const LAG = `SELECT coalesce(max(extract(epoch FROM now() - sealed.sealed_at)), 0)::float8 AS seconds
  FROM unnest($1::uuid[], $2::integer[], $3::bigint[]) AS d (organization_id, epoch, scanned)
  JOIN audit_seal_logs l ON l.organization_id = d.organization_id
  JOIN LATERAL (${firstUnsent("d.organization_id")}) AS sealed ON true
  WHERE l.epoch > d.epoch OR l.signed_size > d.scanned`;

/** How many destinations of all organizations are in each state. Throws the database's error. */
export async function countDestinations(): Promise<Record<DestinationState, number>> {
  const { rows } = await pool("health").query<{ state: DestinationState; count: number }>(STATES);
  const counts = rows.map(({ state, count }) => [state, count]);
  return { ...Object.fromEntries(destinationStates.map((state) => [state, 0])), ...Object.fromEntries(counts) };
}

/**
 * For how many seconds the oldest entry that some destination was not sent has been sealed; 0 if there is none. Those that wait, fail, or
 * were paused by Sealwatch count, those that a person has paused do not. Throws the databases' errors.
 */
export async function longestLag(): Promise<number> {
  let longest = 0;
  let after = NOBODY;
  for (let isLast = false; !isLast; ) {
    const { rows } = await pool("health").query<{ organization_id: string; epoch: number; scanned: string }>(FURTHEST, [
      after,
    ]);
    const { rows: lags } = await auditPool("health").query<{ seconds: number }>(LAG, [
      rows.map(({ organization_id }) => organization_id),
      rows.map(({ epoch }) => epoch),
      rows.map(({ scanned }) => scanned),
    ]);
    longest = Math.max(longest, lags[0]?.seconds ?? 0);
    isLast = rows.length < PAGE_SIZE;
    after = rows.at(-1)?.organization_id ?? after;
  }
  return longest;
}
