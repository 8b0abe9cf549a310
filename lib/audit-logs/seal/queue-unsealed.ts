import { ROW_SPAN_MS } from "@/lib/audit-logs/seal/find-seals";
import { auditPool } from "@/lib/db/audit";
import { logFailure } from "@/lib/db/outage-log";
import { idAt } from "@/lib/ids";
import { log } from "@/lib/log";

const HOUR_MS = 3_600_000;
/** How far back events are examined, and how long the sealer has first, in milliseconds. */
const EXAMINED_MS = 3 * HOUR_MS;
const GRACE_MS = 600_000;
/** Events of an organization per run. */
const MAX_EVENTS = 10_000;

/**
 * Worker job: queues recent events that are neither sealed nor queued, as processes of a release without a sealed log store them during
 * an upgrade. A failure does not delay other organizations.
 */
export async function queueUnsealed(signal: AbortSignal): Promise<void> {
  const [from, to] = [idAt(Date.now() - EXAMINED_MS), idAt(Date.now() - GRACE_MS)];
  const { rows } = await auditPool().query<{ organization_id: string }>(
    "SELECT organization_id FROM audit_seal_logs WHERE import_after IS NULL ORDER BY organization_id",
  );
  for (const { organization_id } of rows) {
    if (signal.aborted) return;
    try {
      const { rowCount } = await auditPool().query(SQL, [organization_id, from, to]);
      if (rowCount) log.warn({ organization_id }, "queued events that were not sealed");
    } catch (error) {
      logFailure("unsealed events could not be queued", error, { organization_id });
    }
  }
}

const SQL = `
INSERT INTO audit_seal_queue (organization_id, ids)
SELECT $1, array_agg(id) FROM (
  SELECT id FROM audit_events e WHERE organization_id = $1 AND id >= $2 AND id < $3
    AND NOT EXISTS (
      SELECT FROM audit_seals s WHERE s.organization_id = $1
        AND s.min_at BETWEEN e.occurred_at - interval '${ROW_SPAN_MS} milliseconds' AND e.occurred_at
        AND s.max_at >= e.occurred_at AND e.id = ANY (s.ids)
    )
    AND NOT EXISTS (SELECT FROM audit_seal_queue q WHERE q.organization_id = $1 AND e.id = ANY (q.ids))
  LIMIT ${MAX_EVENTS}
) AS unsealed HAVING count(*) > 0`;
