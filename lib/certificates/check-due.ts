import { LEASE_SECONDS, look, type Watched } from "@/lib/certificates/check";
import { type Result, recordObservations } from "@/lib/certificates/record-observations";
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
     RETURNING e.organization_id AS "organizationId", e.id, e.version, e.host, e.port, e.sni`,
    [most, LEASE_SECONDS],
  );
  return rows;
}

/** Checks what is due until nothing is. Several processes share the work by leases. */
export function checkDueEndpoints(signal: AbortSignal): Promise<void> {
  const work = async (watched: Watched): Promise<Result> => {
    const { organizationId, id: endpointId, version } = watched;
    return { organizationId, endpointId, version, observation: await look(watched, signal) };
  };
  return drain({ what: "certificate check", lease: leaseDueEndpoints, work, write: recordObservations }, signal);
}
