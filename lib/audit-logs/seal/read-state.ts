import { auditPool } from "@/lib/db/audit";

/** What alerts need to know of an organization's sealed log. */
interface LogState {
  /** Why it is not signed. */
  refused: string | null;
  is_importing: boolean;
  /** How long the oldest event has waited to be sealed; null if none waits. */
  lag_seconds: number | null;
  /** How long the oldest sealed event has waited to be signed; null if none waits. */
  unsigned_seconds: number | null;
  /** What the last self-check that finished found to be wrong. */
  message: string | null;
}

const STATE = `
  SELECT log.refused, coalesce(log.is_importing, false) AS is_importing,
    (SELECT greatest(0, extract(epoch FROM now() - sealed_at))::float8 FROM audit_seals
     WHERE organization_id = $1 AND epoch = log.epoch AND first_index >= log.signed_size ORDER BY first_index LIMIT 1) AS unsigned_seconds,
    (SELECT greatest(0, extract(epoch FROM now() - queued_at))::float8 FROM audit_seal_queue
     WHERE organization_id = $1 ORDER BY queued_at LIMIT 1) AS lag_seconds,
    (SELECT message FROM audit_seal_checks WHERE organization_id = $1 AND size IS NOT NULL) AS message
  FROM (SELECT) AS always LEFT JOIN (
    SELECT l.epoch, signed_size, coalesce(i.refused, l.refused) AS refused, import_after IS NOT NULL AS is_importing
    FROM audit_seal_logs l CROSS JOIN audit_seal_installation i WHERE organization_id = $1
  ) AS log ON true`;

/** In one query, because every organization is asked about every minute. */
export async function readLogState(organizationId: string): Promise<LogState> {
  const { rows } = await auditPool().query<LogState>(STATE, [organizationId]);
  const [state] = rows;
  if (state === undefined) throw new Error("the state of a log has one row");
  return state;
}
