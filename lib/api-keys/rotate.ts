import { recordedKey, toApiKey } from "@/lib/api-keys/api-key";
import type * as contract from "@/lib/api-keys/contract";
import { refuseOutliving } from "@/lib/api-keys/outlive";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { hashSecret, newSecret } from "@/lib/auth/secret";
import { hintOf } from "@/lib/auth/secret-form";
import { db } from "@/lib/db/app";
import { lockRows } from "@/lib/db/lock-rows";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/**
 * Replaces a key's secret without overlap: the old secret is refused from the next request on, and its hash is kept. Of two concurrent
 * rotations, one succeeds. Throws 400, 403, 404, and 409 for a revoked key or a lost race.
 */
export async function rotateApiKey(
  principal: Principal,
  { id }: Input<typeof contract.rotateApiKey>,
): Promise<Output<typeof contract.rotateApiKey>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const where = { organizationId_id: { organizationId, id } };
  const seen = await db().apiKey.findUnique({ where });
  if (seen === null) throw notFound();
  if (seen.revokedAt !== null) throw new ApiError("CONFLICT", "A revoked key cannot be rotated.");
  const secret = newSecret();
  const hint = hintOf(secret);
  const row = await auditedTransaction(async (tx, event) => {
    const now = event.occurredAt;
    await lockRows(tx, "api_keys", organizationId, [id]);
    const before = await tx.apiKey.findUniqueOrThrow({ where });
    if (before.version !== seen.version || before.revokedAt !== null)
      throw new ApiError("CONFLICT", "Another request has just rotated or revoked the key.");
    const rotated = await tx.apiKey.update({ where, data: { version: seen.version + 1, hint, rotatedAt: now } });
    await tx.apiKeySecret.updateMany({
      where: { organizationId, apiKeyId: id, retiredAt: null },
      data: { retiredAt: now },
    });
    await tx.apiKeySecret.create({
      data: { organizationId, apiKeyId: id, hash: Uint8Array.from(hashSecret(secret)), hint, issuedAt: now },
    });
    event.resource("api_key", id);
    event.flag("key_rotated");
    await refuseOutliving(tx, principal, rotated.expiresAt);
    recordChanges(event, before.name, recordedKey(before), recordedKey(rotated));
    return rotated;
  });
  return { ...toApiKey(row), secret };
}
