import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { auditedUpsert } from "@/lib/audit-logs/write/audited-upsert";
import { ChangeList, recordBulkChanges } from "@/lib/audit-logs/write/changes";
import type { Transaction } from "@/lib/db/app";
import type { BulkOutcome } from "@/lib/http/schemas/bulk";

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
    await auditedUpsert(async (tx, event) => {
      results = await work(tx, event);
      if (isDryRun) throw new DryRun("dry run");
    });
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
    results = results.map((each) => (each.status === "created" ? { ...each, id: null } : each));
  }
  return { dry_run: isDryRun, results };
}

/**
 * Changes resources by id in one audited transaction and returns one result per id, in order. `work` returns the results of those that
 * exist; every other id fails. The event names each changed resource, so that it belongs to their histories.
 */
export async function auditedByIds(
  resourceType: string,
  ids: readonly string[],
  work: (tx: Transaction, changes: ChangeList) => Promise<BulkOutcome[]>,
): Promise<{ results: BulkOutcome[] }> {
  return auditedTransaction(async (tx, event) => {
    const changes = new ChangeList();
    const found = new Map((await work(tx, changes)).map((result) => [result.id, result]));
    const results = ids.map((id) => found.get(id) ?? { id, status: "failed" as const, error: "Not found." });
    event.resource(resourceType, ids.length === 1 ? (ids[0] ?? null) : null);
    recordBulkChanges(event, changes);
    const changed = results.flatMap(({ id, status }) => (status === "updated" ? [id] : []));
    event.row.details = { ...event.row.details, resource_ids: changed };
    return { results };
  });
}
