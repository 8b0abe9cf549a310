import { evaluateSoon } from "@/lib/alert-schedule/evaluate-soon";
import { queryIn, type Transaction } from "@/lib/db/app";

/**
 * Has the next evaluation notify channels of alerts whose messages were lost, if they are still open, as if it were the first time. Must be
 * the last statement of its transaction that takes a lock, as `evaluateSoon`. Locks the alerts in the order of an evaluation.
 */
export async function notifyAgain(tx: Transaction, organizationId: string, alertIds: readonly string[]): Promise<void> {
  await queryIn(tx, {
    text: `WITH still_open AS (
        SELECT id FROM alerts WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND resolved_at IS NULL ORDER BY id FOR UPDATE
      )
      UPDATE alerts a SET memory = jsonb_set(a.memory, '{told}', 'null') FROM still_open
      WHERE a.organization_id = $1 AND a.id = still_open.id`,
    values: [organizationId, alertIds],
  });
  await evaluateSoon(tx, organizationId);
}
