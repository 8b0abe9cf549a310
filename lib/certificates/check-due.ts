import { LEASE_SECONDS, look } from "@/lib/certificates/check";
import { type Result, recordResults } from "@/lib/certificates/record-results";
import { WATCHED, type Watched } from "@/lib/certificates/watched";
import { pool } from "@/lib/db/app";
import { drain } from "@/lib/drain";

/** Takes up to `most` due endpoints for this process; those of a process that died are due again when their lease is over. */
export async function leaseDueEndpoints(most: number): Promise<Watched[]> {
  const { rows } = await pool().query<Watched>(
    `WITH due AS MATERIALIZED (
       SELECT organization_id, id FROM certificate_endpoints
       WHERE next_check_at <= now() AND (leased_until IS NULL OR leased_until <= now())
       ORDER BY next_check_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE certificate_endpoints e SET leased_until = now() + make_interval(secs => $2)
     FROM due WHERE e.organization_id = due.organization_id AND e.id = due.id
     RETURNING ${WATCHED}`,
    [most, LEASE_SECONDS],
  );
  return rows;
}

/** Checks what is due until nothing is. Several processes share the work by leases. */
export function checkDueEndpoints(signal: AbortSignal): Promise<void> {
  const work = (watched: Watched) => look(watched, { signal });
  const idOf = ({ watched }: Result) => watched.id;
  return drain({ what: "certificate check", lease: leaseDueEndpoints, work, idOf, write: recordResults }, signal);
}
