import { recordedKey, toApiKey } from "@/lib/api-keys/api-key";
import type * as contract from "@/lib/api-keys/contract";
import { issueKey } from "@/lib/api-keys/issue-key";
import { requireFuture } from "@/lib/api-keys/outlive";
import { requireScopedAdmin } from "@/lib/api-keys/scoped-admin";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Creates a key and returns its secret; only the hash is stored. Throws 400, 402, 403. */
export async function createApiKey(
  principal: Principal,
  input: Input<typeof contract.createApiKey>,
): Promise<Output<typeof contract.createApiKey>> {
  requireAdmin(principal);
  requireScopedAdmin(input);
  requireFuture(input.expires_at);
  const { row, secret } = await auditedTransaction(async (tx, event) => {
    const issued = await issueKey(tx, event, principal, input);
    event.resource("api_key", issued.row.id);
    recordChanges(event, issued.row.name, null, recordedKey(issued.row));
    return issued;
  });
  return { ...toApiKey(row), secret };
}
