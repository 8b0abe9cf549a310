import type { Transaction } from "@/lib/db/app";

/**
 * Marks an organization's rules as due for the worker's next poll, within the transaction that makes this necessary. Must be the
 * last statement there that takes a lock, because an evaluation takes this lock last too.
 */
export async function evaluateSoon(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO alert_evaluations (organization_id, next_at, events_next_at) VALUES (${organizationId}::uuid, now(), now())
    ON CONFLICT (organization_id) DO UPDATE SET next_at = least(alert_evaluations.next_at, excluded.next_at),
      events_next_at = least(alert_evaluations.events_next_at, excluded.events_next_at)`;
}
