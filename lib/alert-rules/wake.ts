import { pool } from "@/lib/db/app";
import { log } from "@/lib/log";
import { once } from "@/lib/once";

/** Milliseconds for which news is gathered before the worker is told of it, in one statement. */
const GATHER_MS = 2_000;

/**
 * Has the rules of organizations evaluated within seconds, because something happened there that they may be about. Returns
 * at once. What is not told because the process ends, or cannot be, waits for the evaluation that comes anyway.
 */
export function wakeRules(organizationIds: Iterable<string>): void {
  const waiting = once("alert-rules.waking", () => new Set<string>());
  const isFirst = waiting.size === 0;
  for (const id of organizationIds) waiting.add(id);
  if (isFirst && waiting.size > 0) setTimeout(() => void tell(waiting), GATHER_MS).unref();
}

async function tell(waiting: Set<string>): Promise<void> {
  const ids = [...waiting];
  waiting.clear();
  try {
    // In one order, so that processes do not wait for each other in a circle.
    await pool().query(
      `WITH woken AS (
         SELECT organization_id FROM alert_evaluations WHERE organization_id = ANY($1::uuid[]) AND next_at > now()
         ORDER BY organization_id FOR UPDATE
       )
       UPDATE alert_evaluations e SET next_at = now() FROM woken WHERE e.organization_id = woken.organization_id`,
      [ids],
    );
  } catch (error) {
    log.warn({ err: error, organizations: ids.length }, "alert rules could not be woken; they are evaluated later");
  }
}
