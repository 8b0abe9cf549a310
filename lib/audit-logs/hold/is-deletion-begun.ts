import { queryIn, type Transaction } from "@/lib/db/app";

/**
 * Whether the deletion of an organization has begun and cannot be cancelled any more: it is due by the clock of the database, and no
 * active hold delays it. The transaction has locked the organization's row, which the purge and every change of a hold lock too.
 */
export async function isDeletionBegun(tx: Transaction, organizationId: string): Promise<boolean> {
  const [own] = await queryIn<{ begun: boolean | null }>(tx, {
    text: "SELECT deletion_due_at <= clock_timestamp() AND audit_held_since IS NULL AS begun FROM organizations WHERE id = $1",
    values: [organizationId],
  });
  return own?.begun === true;
}
