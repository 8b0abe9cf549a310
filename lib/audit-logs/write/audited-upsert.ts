import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import type { Transaction } from "@/lib/db/app";
import { ApiError, isDuplicate } from "@/lib/http/errors";

/** Each further attempt means that another request has added some of the items meanwhile. */
const MAX_ATTEMPTS = 3;

/**
 * Like `auditedTransaction`, for work that adds what it does not find. If another transaction adds the same meanwhile, the work runs
 * again from the start and finds it. Throws 503 if that happens repeatedly.
 */
export async function auditedUpsert<Result>(
  work: (tx: Transaction, event: AuditEventDraft) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      return await auditedTransaction(work);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }
  throw new ApiError("UNAVAILABLE", "Other requests are adding the same items. Try again shortly.", { retry_after: 5 });
}
