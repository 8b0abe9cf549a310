import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import type { RedactionRequest } from "@/lib/audit-logs/redact/redact-event";
import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";

/**
 * Whether the event of a request is nowhere an hour after it, such as after a restore of the audit database: no checkpoint will ever
 * cover it. The outbox is read first, because events move from there to the audit database.
 */
export async function isRequestLost({
  organization_id,
  event_id,
  part,
  request_id,
}: RedactionRequest): Promise<boolean> {
  const { rows: missing } = await pool().query(
    `SELECT FROM redaction_requests WHERE organization_id = $1 AND event_id = $2 AND part = $3 AND request_id = $4
       AND requested_at < now() - interval '1 hour'
       AND NOT EXISTS (SELECT FROM audit_outbox WHERE organization_id = $1 AND id = $4)`,
    [organization_id, event_id, part, request_id],
  );
  if (missing.length === 0) return false;
  const { rows: stored } = await auditPool().query(
    "SELECT FROM audit_events WHERE organization_id = $1 AND retention_days = ANY($2::smallint[]) AND id = $3",
    [organization_id, CLASSES, request_id],
  );
  return stored.length === 0;
}
