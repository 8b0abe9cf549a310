import type { Transaction } from "@/lib/db/app";

/** Has an organization's rules evaluated by the worker's next look, in the transaction of what makes that worth while. */
export async function evaluateSoon(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO alert_evaluations (organization_id, next_at) VALUES (${organizationId}::uuid, now())
    ON CONFLICT (organization_id) DO UPDATE SET next_at = excluded.next_at`;
}
