import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import type { Transaction } from "@/lib/db/app";

/** The result for one item of a bulk request. */
interface BulkResult {
  status: "created" | "updated" | "unchanged" | "failed";
  id: string | null;
}

/** Rolls back the transaction of a dry run. */
class DryRun extends Error {}

/**
 * Changes many items in one audited transaction and returns their results. A dry run is rolled back; its results have no ids of items that
 * it would create.
 */
export async function auditedBulk<Result extends BulkResult>(
  isDryRun: boolean,
  work: (tx: Transaction, event: AuditEventDraft) => Promise<Result[]>,
): Promise<{ dry_run: boolean; results: Result[] }> {
  let results: Result[] = [];
  try {
    await auditedTransaction(async (tx, event) => {
      results = await work(tx, event);
      if (isDryRun) throw new DryRun("dry run");
    });
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
    results = results.map((each) => (each.status === "created" ? { ...each, id: null } : each));
  }
  return { dry_run: isDryRun, results };
}
