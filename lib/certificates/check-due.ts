import { LEASE_SECONDS, look } from "@/lib/certificates/check";
import { Crowded, Places } from "@/lib/certificates/places";
import { type Result, recordResults } from "@/lib/certificates/record-results";
import { WATCHED, type Watched } from "@/lib/certificates/watched";
import { pool } from "@/lib/db/app";
import { drain, MOST_AT_ONCE } from "@/lib/drain";
import { once } from "@/lib/once";

/** Looks of one process at one address at once, how many more may wait for their turn, and for how many milliseconds. */
const AT_ONE_ADDRESS = 8;
const WAITING_FOR_ONE_ADDRESS = 32;
const TURN_PATIENCE_MS = 5_000;
/** Seconds, give or take a half, after which an endpoint whose address was crowded is tried again. */
const POSTPONED_SECONDS = 10;

/** Instead of a result: its address had no place. */
interface Postponed {
  watched: Watched;
  isPostponed: true;
}

function countByOrganization(running: readonly Watched[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { organizationId } of running) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
  return counts;
}

/**
 * Takes up to `most` due endpoints for this process, the same number for each organization counting those under way; what one does not
 * need is the others'. Those of a process that died are due again when their lease is over.
 */
export async function leaseDueEndpoints(most: number, running: readonly Watched[]): Promise<Watched[]> {
  const counts = countByOrganization(running);
  const isDue = "next_check_at <= now() AND (leased_until IS NULL OR leased_until <= now())";
  const { rows } = await pool().query<Watched>(
    `WITH busy AS (SELECT * FROM unnest($3::uuid[], $4::integer[]) AS busy (organization_id, running)),
     waiting AS MATERIALIZED (
       SELECT o.id AS organization_id, coalesce(busy.running, 0) AS running FROM organizations o
       LEFT JOIN busy ON busy.organization_id = o.id
       WHERE EXISTS (SELECT FROM certificate_endpoints e WHERE e.organization_id = o.id AND ${isDue})
     ),
     fair AS (
       SELECT ceil($5::numeric / greatest(1, count(*))) AS share
       FROM (SELECT organization_id FROM waiting UNION SELECT organization_id FROM busy) AS active
     ),
     due AS MATERIALIZED (
       SELECT own.* FROM waiting CROSS JOIN fair CROSS JOIN LATERAL (
         SELECT e.organization_id, e.id, e.next_check_at FROM certificate_endpoints e
         WHERE e.organization_id = waiting.organization_id AND ${isDue}
         ORDER BY e.next_check_at LIMIT greatest(0, fair.share - waiting.running) FOR UPDATE SKIP LOCKED
       ) AS own
       ORDER BY own.next_check_at LIMIT $1
     )
     UPDATE certificate_endpoints e SET leased_until = now() + make_interval(secs => $2)
     FROM due WHERE e.organization_id = due.organization_id AND e.id = due.id
     RETURNING ${WATCHED}`,
    [most, LEASE_SECONDS, [...counts.keys()], [...counts.values()], MOST_AT_ONCE],
  );
  return rows;
}

async function postpone(all: readonly Watched[]): Promise<void> {
  if (all.length === 0) return;
  await pool().query(
    `UPDATE certificate_endpoints e SET leased_until = NULL, next_check_at = now() + make_interval(secs => $3 * (0.5 + random()))
     FROM unnest($1::uuid[], $2::uuid[]) AS crowded (organization_id, id)
     WHERE e.organization_id = crowded.organization_id AND e.id = crowded.id`,
    [all.map(({ organizationId }) => organizationId), all.map(({ id }) => id), POSTPONED_SECONDS],
  );
}

async function write(all: readonly (Result | Postponed)[]): Promise<void> {
  const results = all.flatMap((each) => ("isPostponed" in each ? [] : [each]));
  if (results.length > 0) await recordResults(results);
  await postpone(all.flatMap((each) => ("isPostponed" in each ? [each.watched] : [])));
}

/** Checks what is due until nothing is. Several processes share the work by leases. */
export function checkDueEndpoints(signal: AbortSignal): Promise<void> {
  const places = once(
    "certificates.places",
    () => new Places(AT_ONE_ADDRESS, WAITING_FOR_ONE_ADDRESS, TURN_PATIENCE_MS),
  );
  const enter = (addresses: readonly string[]) => places.enter(addresses, signal);
  const work = (watched: Watched): Promise<Result | Postponed> =>
    look(watched, { signal, enter }).catch((error: unknown) => {
      if (error instanceof Crowded) return { watched, isPostponed: true };
      throw error;
    });
  const idOf = ({ watched }: Result | Postponed) => watched.id;
  return drain({ what: "certificate check", lease: leaseDueEndpoints, work, idOf, write }, signal);
}
