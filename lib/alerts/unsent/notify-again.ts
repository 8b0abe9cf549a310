import { evaluateSoon } from "@/lib/alert-schedule/evaluate-soon";
import { eventConditions } from "@/lib/alerts/rules/conditions";
import { inTransaction, pool, queryIn } from "@/lib/db/app";

/** Alerts that one transaction changes, so that an evaluation never waits for it for long. */
const STEP = 1_000;
/** Maximum number of alerts that nobody was notified of. */
const MAX_UNTOLD = 100_000;

/** An alert of which an evaluation would send the start: of events even after they ended. $2: the types of conditions about events. */
const IS_SENT = `resolved_at IS NULL AND acknowledged_at IS NULL AND (absent_since IS NULL OR EXISTS (
  SELECT FROM alert_rules r WHERE r.organization_id = alerts.organization_id AND r.id = alerts.rule_id AND r.condition->>'type' = ANY ($2)))`;

const FORGET = `WITH unsent AS (
    SELECT id FROM alerts WHERE organization_id = $1 AND id = ANY ($3::uuid[]) AND ${IS_SENT} ORDER BY id FOR UPDATE
  )
  UPDATE alerts a SET memory = a.memory || '{"told": null, "notifiedAt": null}' FROM unsent
  WHERE a.organization_id = $1 AND a.id = unsent.id`;

/**
 * Has the next evaluation notify channels of open alerts whose messages were lost, as if it were the first time. Each step locks its alerts
 * in the order of an evaluation, in a transaction of its own.
 */
export async function notifyAgain(organizationId: string, alertIds: readonly string[]): Promise<void> {
  if (alertIds.length === 0) return;
  for (let from = 0; from < alertIds.length; from += STEP) {
    const values = [organizationId, eventConditions, alertIds.slice(from, from + STEP)];
    await inTransaction((tx) => queryIn(tx, { text: FORGET, values }));
  }
  await inTransaction((tx) => evaluateSoon(tx, organizationId));
}

/** The same for alerts that were to be sent while no channel was enabled. */
export async function notifyOfUntold(organizationId: string): Promise<void> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT id FROM alerts WHERE organization_id = $1 AND live AND memory->'notifiedAt' = 'null' AND memory->'told' <> 'null' AND ${IS_SENT}
      ORDER BY id LIMIT ${MAX_UNTOLD}`,
    [organizationId, eventConditions],
  );
  await notifyAgain(
    organizationId,
    rows.map(({ id }) => id),
  );
}
