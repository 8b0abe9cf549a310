import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import type { RedactionRequest } from "@/lib/audit-logs/redact/redact-event";
import { REDACTED_CALLER } from "@/lib/audit-logs/redacted-caller";
import { auditPool } from "@/lib/db/audit";

/** Conditions on an event `e`: nothing of the part is stored. */
const GONE = {
  body: `NOT EXISTS (
    SELECT FROM audit_bodies b WHERE b.organization_id = e.organization_id AND b.retention_days = e.retention_days AND b.id = e.id
  )`,
  caller: `e.auth_type = '${REDACTED_CALLER.auth_type}'`,
} as const satisfies Record<RedactionRequest["part"], string>;

/** Whether nothing of the part is stored of a stored event, so that a repeated redaction deletes nothing. */
export async function isPartGone({ organization_id, event_id, part }: RedactionRequest): Promise<boolean> {
  const { rows } = await auditPool().query(
    `SELECT FROM audit_events e WHERE organization_id = $1 AND retention_days = ANY($2::smallint[]) AND id = $3 AND ${GONE[part]}`,
    [organization_id, CLASSES, event_id],
  );
  return rows.length > 0;
}
