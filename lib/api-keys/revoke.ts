import { recordedKey, toApiKey } from "@/lib/api-keys/api-key";
import type * as contract from "@/lib/api-keys/contract";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { db } from "@/lib/db/app";
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
  const before = await db().apiKey.findUnique({ where });
  if (before === null) throw notFound();
  if (before.revokedAt !== null) return toApiKey(before);
  return auditedTransaction(async (tx, event) => {
    const { count } = await tx.apiKey.updateMany({
      where: { organizationId, id, revokedAt: null },
      data: { revokedAt: event.occurredAt },
    });
    event.resource("api_key", id);
    const after = await tx.apiKey.findUniqueOrThrow({ where });
    // Otherwise a concurrent request revoked the key first, so this event did not revoke it.
    if (count > 0) {
      event.flag("key_revoked");
      recordChanges(event, before.name, recordedKey(before), recordedKey(after));
    }
    return toApiKey(after);
  });
}
