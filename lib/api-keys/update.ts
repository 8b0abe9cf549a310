import type { Input, Output } from "@/lib/api/endpoint";
import { ApiError, notFound } from "@/lib/api/errors";
import { toApiKey } from "@/lib/api-keys/api-key";
import type * as contract from "@/lib/api-keys/contract";
import { change } from "@/lib/audit-logs/change";
import { type Principal, requireAdmin } from "@/lib/auth/principal";

/** Changes the given fields of a key. Throws 403, 404, and 409 for a revoked key. */
export async function updateApiKey(
  principal: Principal,
  { id, ...input }: Input<typeof contract.updateApiKey>,
): Promise<Output<typeof contract.updateApiKey>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  return change(async (tx, event) => {
    const { count } = await tx.apiKey.updateMany({
      where: { organizationId, id, revokedAt: null },
      data: {
        ...(input.name !== undefined && { name: input.name }),
        ...(input.permission !== undefined && { permission: input.permission }),
        ...(input.ip_whitelist !== undefined && { ipWhitelist: input.ip_whitelist }),
        ...(input.expires_at !== undefined && {
          expiresAt: input.expires_at === null ? null : new Date(input.expires_at),
        }),
      },
    });
    const row = await tx.apiKey.findUnique({ where: { organizationId_id: { organizationId, id } } });
    if (row === null) throw notFound();
    if (count === 0) throw new ApiError("CONFLICT", "A revoked key cannot be changed.");
    event.resource("api_key", id);
    event.flag("key_updated");
    return toApiKey(row);
  });
}
