import { AGENT_GRACE_MINUTES } from "@/lib/certificates/check/check-due";
import { AGENTS_COULD_REPORT, SILENT_MINUTES } from "@/lib/certificates/check/could-report";
import { pool } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";

/** Maximum number of agents per run. */
const LIMIT = 1_000;

const isSilent = `silent_since IS NULL AND last_seen_at < now() - interval '${SILENT_MINUTES} minutes'`;
const overdue = `now() - interval '${AGENT_GRACE_MINUTES} minutes'`;

/** Worker job: finds agents that have become silent, and makes their endpoints overdue, which the checks then find unreachable. */
export async function findSilentAgents(signal: AbortSignal): Promise<void> {
  const { rows } = await pool().query<{ organization_id: string; id: string }>(
    `SELECT organization_id, id FROM certificate_agents WHERE ${isSilent} AND ${AGENTS_COULD_REPORT}
     ORDER BY last_seen_at LIMIT ${LIMIT}`,
  );
  for (const { organization_id, id } of rows) {
    if (signal.aborted) return;
    try {
      await pool().query(
        `WITH silent AS (
           UPDATE certificate_agents SET silent_since = last_seen_at
           WHERE organization_id = $1 AND id = $2 AND ${isSilent} RETURNING id
         ), early AS (
           SELECT e.id FROM silent JOIN certificate_endpoints e ON e.organization_id = $1 AND e.agent_id = silent.id
           WHERE e.next_check_at > ${overdue} ORDER BY e.id FOR NO KEY UPDATE OF e
         )
         UPDATE certificate_endpoints e SET next_check_at = ${overdue} FROM early
         WHERE e.organization_id = $1 AND e.id = early.id`,
        [organization_id, id],
      );
    } catch (error) {
      logFailure("an agent could not be found silent; it will be retried", error, { organization_id, agent_id: id });
    }
  }
}
