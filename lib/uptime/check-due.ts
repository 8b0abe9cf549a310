import { pool } from "@/lib/db/app";
import { drain } from "@/lib/drain";
import { askUnderRules, LEASE_SECONDS, type Watched } from "@/lib/uptime/check";
import { type Result, recordOutcomes } from "@/lib/uptime/record-outcomes";

/** Takes up to `most` due monitors for this process; those of a process that died are due again when their lease is over. */
async function leaseDueMonitors(most: number): Promise<Watched[]> {
  const { rows } = await pool().query<Watched>(
    `WITH due AS MATERIALIZED (
       SELECT organization_id, id FROM uptime_monitors
       WHERE next_check_at <= now() AND paused_at IS NULL AND (leased_until IS NULL OR leased_until <= now())
       ORDER BY next_check_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE uptime_monitors m SET leased_until = now() + make_interval(secs => $2)
     FROM due WHERE m.organization_id = due.organization_id AND m.id = due.id
     RETURNING m.organization_id AS "organizationId", m.id, m.version, m.type, m.target, m.method, m.headers,
       m.expected_status AS "expectedStatus", m.expected_text AS "expectedText", m.follow_redirects AS "followRedirects",
       m.timeout_seconds AS "timeoutSeconds"`,
    [most, LEASE_SECONDS],
  );
  return rows;
}

/** Checks the monitors that are due until none is. Several processes share the work by leases. */
export function checkDueMonitors(signal: AbortSignal): Promise<void> {
  const work = async (watched: Watched): Promise<Result> => {
    const { organizationId, id: monitorId, version } = watched;
    return { organizationId, monitorId, version, outcome: await askUnderRules(watched, signal) };
  };
  const idOf = ({ monitorId }: Result) => monitorId;
  return drain({ what: "uptime check", lease: leaseDueMonitors, work, idOf, write: recordOutcomes }, signal);
}
