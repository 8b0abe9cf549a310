import type pg from "pg";
import type { RedactionRequest } from "@/lib/audit-logs/redact/redact-event";
import type { LogKey } from "@/lib/audit-logs/seal/nodes";
import type { StoredRedaction } from "@/lib/audit-logs/seal/stored-redactions";
import { pool } from "@/lib/db/app";

/** Removes what is left of the redacted seals beyond `size`. Returns the requests by which their events were redacted. */
export async function removeRedactions(
  client: pg.PoolClient,
  { organization_id, epoch }: LogKey,
  size: number,
): Promise<RedactionRequest[]> {
  const { rows } = await client.query<Pick<StoredRedaction, "event_id" | "redactions">>(
    `DELETE FROM audit_redactions WHERE organization_id = $1 AND epoch = $2 AND index >= $3 RETURNING event_id, redactions`,
    [organization_id, epoch, size],
  );
  return rows.flatMap(({ event_id, redactions }) =>
    Object.entries(redactions).map(([part, { id }]) => ({
      ...{ organization_id, event_id, part: part as RedactionRequest["part"], request_id: id },
    })),
  );
}

/**
 * Asks the worker for redactions once more, after the transaction that removed them: it deletes nothing then, but the new seals of these
 * events get hashes and name what redacted them. If that transaction fails, the request changes nothing.
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
