import { recordedKey, toApiKey } from "@/lib/api-keys/api-key";
import type * as contract from "@/lib/api-keys/contract";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { lockRows } from "@/lib/db/lock-rows";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Revokes a key: its secret is refused from the next request on. Revoking it again has no effect. Throws 403, 404. */
export async function revokeApiKey(
  principal: Principal,
  { id }: Input<typeof contract.revokeApiKey>,
): Promise<Output<typeof contract.revokeApiKey>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const where = { organizationId_id: { organizationId, id } };
  return auditedTransaction(async (tx, event) => {
    await lockRows(tx, "api_keys", organizationId, [id]);
    const before = await tx.apiKey.findUnique({ where });
    if (before === null) throw notFound();
    event.resource("api_key", id);
    if (before.revokedAt !== null) return toApiKey(before);
    const after = await tx.apiKey.update({ where, data: { revokedAt: event.occurredAt } });
    event.flag("key_revoked");
    recordChanges(event, before.name, recordedKey(before), recordedKey(after));
    return toApiKey(after);
  });
}
