import type { Transaction } from "@/lib/db/app";

/**
 * Has an organization's rules evaluated by the worker's next look, in the transaction of what makes that worth while. The last thing
 * there that takes a lock: an evaluation takes this one last.
 */
export async function evaluateSoon(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO alert_evaluations (organization_id, next_at, events_next_at) VALUES (${organizationId}::uuid, now(), now())
    ON CONFLICT (organization_id) DO UPDATE SET next_at = least(alert_evaluations.next_at, excluded.next_at),
      events_next_at = least(alert_evaluations.events_next_at, excluded.events_next_at)`;
}
