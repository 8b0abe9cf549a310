import { toApiKey } from "@/lib/api-keys/api-key";
import type * as contract from "@/lib/api-keys/contract";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Revokes a key: its secret is refused from the next request on. Revoking again changes nothing. Throws 403, 404. */
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
    // Lost to another revocation in this moment: the key is revoked, by an event that is not this one.
    if (count > 0) event.flag("key_revoked");
    event.resource("api_key", id);
    return toApiKey(await tx.apiKey.findUniqueOrThrow({ where }));
  });
}
