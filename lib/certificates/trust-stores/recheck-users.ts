import type pg from "pg";
import { pool } from "@/lib/db/app";
import { withTransaction } from "@/lib/db/connections";
import { logFailure } from "@/lib/db/outage-log";
import { AFTER_ANY_ID, BEFORE_ANY_ID } from "@/lib/ids";
import { limitedSignal } from "@/lib/limited-signal";

/** Endpoints and monitors that a step reads, so that locks are held only briefly. */
const STEP_SIZE = 2_000;
/** Maximum number of trust stores per run, and milliseconds for each. */
const MAX_STORES = 1_000;
const SHARE_MS = 10_000;

/** What a change of a trust store's certificates sets, so that its users are checked again. */
export const recheckUsers = { recheckAfter: BEFORE_ANY_ID } as const;

const idsOf = (table: string) =>
  `(SELECT id FROM ${table} WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT ${STEP_SIZE})`;
/** The last id of the next step; null if the rest is one. By primary keys, because the index of users is not sorted by id. */
const LAST = `SELECT id FROM (${idsOf("certificate_endpoints")} UNION ALL ${idsOf("uptime_monitors")}) AS ids
  ORDER BY id OFFSET ${STEP_SIZE - 1} LIMIT 1`;

/**
 * Locks users in the order in which recorded checks do. The result of a check that is under way was judged by the old certificates: with
 * another version it is not recorded, and the check is repeated.
 */
const makeDue = (table: string, isLater: string, changes: string) => `WITH users AS (
    SELECT id FROM ${table} WHERE organization_id = $1 AND trust_store_id = $2 AND id > $3 AND id <= $4 AND (${isLater} OR leased_until > now())
    ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE ${table} t SET ${changes}, version = t.version + CASE WHEN t.leased_until > now() THEN 1 ELSE 0 END
  FROM users WHERE t.organization_id = $1 AND t.id = users.id`;
const ENDPOINTS = makeDue(
  "certificate_endpoints",
  "next_check_at > now() OR tls_scan_due_at > now() OR recent_leaves IS NOT NULL",
  `recent_leaves = NULL, next_check_at = least(t.next_check_at, now()),
    tls_scan_due_at = CASE WHEN t.tls_scan_due_at IS NOT NULL THEN least(t.tls_scan_due_at, now()) END`,
);
const MONITORS = makeDue("uptime_monitors", "next_check_at > now()", "next_check_at = now()");

/** Returns whether there may be more. */
async function takeStep(client: pg.ClientBase, organizationId: string, id: string): Promise<boolean> {
  const { rows: stores } = await client.query<{ recheck_after: string | null }>(
    "SELECT recheck_after FROM certificate_trust_stores WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE",
    [organizationId, id],
  );
  const after = stores[0]?.recheck_after ?? null;
  if (after === null) return false;
  const { rows } = await client.query<{ id: string }>(LAST, [organizationId, after]);
  const last = rows[0]?.id ?? null;
  const step = [organizationId, id, after, last ?? AFTER_ANY_ID];
  await client.query(ENDPOINTS, step);
  await client.query(MONITORS, step);
  await client.query("UPDATE certificate_trust_stores SET recheck_after = $3 WHERE organization_id = $1 AND id = $2", [
    organizationId,
    id,
    last,
  ]);
  return last !== null;
}

/**
 * Makes the endpoints and monitors that use a changed trust store due now, unless they are, until `signal` aborts; the worker continues.
 * Their findings were judged by its old certificates.
 */
export async function makeUsersDue(organizationId: string, id: string, signal: AbortSignal): Promise<void> {
  for (let isMore = true; isMore && !signal.aborted; ) {
    isMore = await withTransaction(pool(), (client) => takeStep(client, organizationId, id));
  }
}

/** Worker job: makes those users of changed trust stores due for which the request had no time. */
export async function recheckTrustStoreUsers(signal: AbortSignal): Promise<void> {
  const { rows } = await pool().query<{ organization_id: string; id: string }>(
    `SELECT organization_id, id FROM certificate_trust_stores WHERE recheck_after IS NOT NULL LIMIT ${MAX_STORES}`,
  );
  for (const { organization_id, id } of rows) {
    if (signal.aborted) return;
    const { signal: share, end } = limitedSignal(signal, SHARE_MS);
    try {
      await makeUsersDue(organization_id, id, share);
    } catch (error) {
      logFailure("what uses a changed trust store could not be made due; it will be retried", error, {
        organization_id,
        trust_store_id: id,
      });
    } finally {
      end();
    }
  }
}
