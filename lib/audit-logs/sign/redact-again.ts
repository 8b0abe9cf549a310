import type pg from "pg";
import type { RedactionRequest } from "@/lib/audit-logs/redact/redact-event";
import type { LogKey } from "@/lib/audit-logs/seal/nodes";
import type { StoredRedaction } from "@/lib/audit-logs/seal/stored-redactions";
import { pool } from "@/lib/db/app";

type Removed = Pick<StoredRedaction, "event_id" | "redactions">;

/**
 * Removes what is left of the redacted seals beyond `size`, and, of the events that stay sealed, which entries beyond `size` redacted
 * them. Returns the requests by which these parts were redacted.
 */
export async function removeRedactions(
  client: pg.PoolClient,
  { organization_id, epoch }: LogKey,
  size: number,
): Promise<RedactionRequest[]> {
  const beyond = [organization_id, epoch, size];
  const { rows: removed } = await client.query<Removed>(
    "DELETE FROM audit_redactions WHERE organization_id = $1 AND epoch = $2 AND index >= $3 RETURNING event_id, redactions",
    beyond,
  );
  const { rows: changed } = await client.query<Removed>(
    `UPDATE audit_redactions r SET redactions = r.redactions - moved.parts FROM (
       SELECT event_id, array_agg(part) AS parts, jsonb_object_agg(part, redaction) AS redactions
       FROM audit_redactions CROSS JOIN jsonb_each(redactions) AS entry (part, redaction)
       WHERE organization_id = $1 AND (redaction ->> 'epoch')::integer = $2 AND (redaction ->> 'index')::bigint >= $3 GROUP BY event_id
     ) AS moved WHERE r.organization_id = $1 AND r.event_id = moved.event_id RETURNING moved.event_id, moved.redactions`,
    beyond,
  );
  return [...removed, ...changed].flatMap(({ event_id, redactions }) =>
    Object.entries(redactions).map(([part, { id }]) => ({
      ...{ organization_id, event_id, part: part as RedactionRequest["part"], request_id: id },
    })),
  );
}

/**
 * Asks the worker for redactions once more, after the transaction that removed them: it deletes nothing then, but the seals of these
 * events get hashes, if they are new, and name what redacted them. If that transaction fails, the request changes nothing.
 */
export async function redactAgain(requests: readonly RedactionRequest[]): Promise<void> {
  if (requests.length === 0) return;
  await pool().query(
    `INSERT INTO redaction_requests (organization_id, event_id, part, request_id, requested_at, next_at)
     SELECT due.*, now(), now() + interval '10 seconds'
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[]) AS due (organization_id, event_id, part, request_id)
     JOIN organizations o ON o.id = due.organization_id
     ON CONFLICT (organization_id, event_id, part) DO UPDATE
       SET request_id = excluded.request_id, requested_at = now(), next_at = excluded.next_at, redacted_at = NULL
       WHERE redaction_requests.redacted_at IS NOT NULL`,
    [
      requests.map(({ organization_id }) => organization_id),
      requests.map(({ event_id }) => event_id),
      requests.map(({ part }) => part),
      requests.map(({ request_id }) => request_id),
    ],
  );
}
