import type pg from "pg";
import { findHold } from "@/lib/audit-logs/held/find-hold";
import { lockForRedaction } from "@/lib/audit-logs/held/redaction-lock";
import { isPartGone } from "@/lib/audit-logs/redact/is-part-gone";
import { isRequestLost } from "@/lib/audit-logs/redact/is-request-lost";
import { type Outcome, type RedactionRequest, redactEvent } from "@/lib/audit-logs/redact/redact-event";
import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { logFailure } from "@/lib/db/outage-log";
import { idTime } from "@/lib/ids";
import { log } from "@/lib/log";

const IS_DUE = "redacted_at IS NULL AND next_at <= now()";
/** A condition: some request is due. */
export const REDACTIONS_DUE = `EXISTS (SELECT FROM redaction_requests WHERE ${IS_DUE})`;
/** Requests per run, and of one organization. */
const REQUESTS = 200;
const PER_ORGANIZATION = 20;

/**
 * Worker job: redacts what was asked to be redacted, once a signed checkpoint covers the event of the request. Several workers may do
 * the same at once. A failure delays no other request.
 */
export async function redactDue(signal: AbortSignal): Promise<void> {
  const { rows } = await pool().query<RedactionRequest>(
    `SELECT organization_id, event_id, part, request_id FROM (
       SELECT *, row_number() OVER (PARTITION BY organization_id ORDER BY next_at) AS turn FROM redaction_requests
       WHERE ${IS_DUE}
     ) AS due WHERE turn <= ${PER_ORGANIZATION} ORDER BY turn, next_at LIMIT ${REQUESTS}`,
  );
  for (const request of rows) {
    if (signal.aborted) return;
    try {
      const outcome = await redactUnlessHeld(request);
      await complete(request, outcome === "waiting" && (await isRequestLost(request)) ? "void" : outcome);
    } catch (error) {
      const { organization_id, event_id, part } = request;
      logFailure("an event could not be redacted; will retry", error, { organization_id, event_id, part });
      await postpone(request).catch(() => {});
    }
  }
}

/**
 * An event on hold waits: a hold is placed either after the redaction is done, or before it begins. A repeated redaction deletes nothing,
 * so it does not wait.
 */
function redactUnlessHeld(request: RedactionRequest): Promise<Outcome> {
  const { organization_id, event_id } = request;
  return withTransaction(pool(), async (app) => {
    await app.query(lockForRedaction, [organization_id]);
    const isHeld = (await findHold(organization_id, event_id, app)) !== null;
    if (isHeld && !(await isPartGone(request))) return "waiting";
    return withTransaction(auditPool(), async (client) => {
      const outcome = await redactEvent(client, request);
      // PostgreSQL ends a transaction that is idle for a minute, and its lock with it: a hold may have been placed since.
      await app.query("SELECT");
      return outcome;
    });
  });
}

const OWN = "organization_id = $1 AND event_id = $2 AND part = $3";
const own = ({ organization_id, event_id, part }: RedactionRequest) => [organization_id, event_id, part];

async function complete(request: RedactionRequest, outcome: Outcome): Promise<void> {
  if (outcome === "waiting") return postpone(request);
  const { organization_id, event_id, part } = request;
  if (outcome === "void") {
    log.warn({ organization_id, event_id, part }, "a request to redact an event is not in the log, and was dropped");
    await pool().query(`DELETE FROM redaction_requests WHERE ${OWN}`, own(request));
    return;
  }
  await withTransaction(pool(), async (client) => {
    await deleteCopies(client, request);
    await client.query(`UPDATE redaction_requests SET redacted_at = now() WHERE ${OWN}`, own(request));
  });
}

/**
 * Deletes what the monitoring database keeps of an event for some time: its row in the outbox, and the response and the hash of the
 * body that a repetition with the same `Idempotency-Key` is compared with. A repetition is refused from then on. Of a caller, also the
 * address of the key's last use.
 */
async function deleteCopies(
  client: pg.PoolClient,
  { organization_id, event_id, part }: RedactionRequest,
): Promise<void> {
  const copy = [organization_id, event_id];
  await client.query("DELETE FROM audit_outbox WHERE organization_id = $1 AND id = $2", copy);
  await client.query(
    `UPDATE idempotent_requests SET fingerprint = '', status = NULL, headers = NULL, body = NULL
     WHERE organization_id = $1 AND attempt = $2`,
    copy,
  );
  if (part !== "caller") return;
  await client.query("UPDATE api_keys SET last_used_ip = NULL WHERE organization_id = $1 AND last_used_at = $2", [
    organization_id,
    new Date(idTime(event_id)).toISOString(),
  ]);
}

/** Tries again after two seconds at first, later after half of the time since the request, up to ten minutes. */
async function postpone(request: RedactionRequest): Promise<void> {
  await pool().query(
    `UPDATE redaction_requests SET next_at = now() + greatest(interval '2 seconds', least(interval '10 minutes', (now() - requested_at) / 2))
     WHERE ${OWN} AND redacted_at IS NULL`,
    own(request),
  );
}
