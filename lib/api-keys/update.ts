import { recordedKey, toApiKey } from "@/lib/api-keys/api-key";
import type * as contract from "@/lib/api-keys/contract";
import { refuseOutliving, requireFuture } from "@/lib/api-keys/outlive";
import { requireScopedAdmin } from "@/lib/api-keys/scoped-admin";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** Updates the given fields of a key. Throws 400, 403, 404, and 409 for a revoked key. */
export async function updateApiKey(
  principal: Principal,
  { id, ...input }: Input<typeof contract.updateApiKey>,
): Promise<Output<typeof contract.updateApiKey>> {
  requireAdmin(principal);
  requireFuture(input.expires_at);
  const { organizationId } = principal;
  const where = { organizationId_id: { organizationId, id } };
  const expiresAt = input.expires_at == null ? null : new Date(input.expires_at);
  return auditedTransaction(async (tx, event) => {
    const before = await tx.apiKey.findUnique({ where });
    if (before === null) throw notFound();
    requireScopedAdmin({
      permission: input.permission ?? before.permission,
      scope: input.scope === undefined ? before.scope : input.scope,
    });
    // Before the change, because the key may be the caller's own.
    await refuseOutliving(tx, principal, input.expires_at === undefined ? before.expiresAt : expiresAt);
    const { count } = await tx.apiKey.updateMany({
      where: { organizationId, id, revokedAt: null },
      data: {
        ...(input.name !== undefined && { name: input.name }),
        ...(input.permission !== undefined && { permission: input.permission }),
        ...(input.scope !== undefined && { scope: input.scope }),
        ...(input.ip_whitelist !== undefined && { ipWhitelist: input.ip_whitelist }),
        ...(input.expires_at !== undefined && { expiresAt }),
      },
    });
    if (count === 0) throw new ApiError("CONFLICT", "A revoked key cannot be changed.");
    event.resource("api_key", id);
    const after = await tx.apiKey.findUniqueOrThrow({ where });
    if (recordChanges(event, before.name, recordedKey(before), recordedKey(after))) event.flag("key_updated");
    return toApiKey(after);
  });
}
