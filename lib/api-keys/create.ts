import { recordedKey, toApiKey } from "@/lib/api-keys/api-key";
import type * as contract from "@/lib/api-keys/contract";
import { refuseOutliving } from "@/lib/api-keys/outlive";
import { requireScopedAdmin } from "@/lib/api-keys/scoped-admin";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { hashSecret, newSecret } from "@/lib/auth/secret";
import { hintOf } from "@/lib/auth/secret-form";
import { requireRoom } from "@/lib/billing/plan-limits";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newIdAt } from "@/lib/ids";

/** Creates a key and returns its secret; only the hash is stored. Throws 400, 402, 403. */
export async function createApiKey(
  principal: Principal,
  input: Input<typeof contract.createApiKey>,
): Promise<Output<typeof contract.createApiKey>> {
  requireAdmin(principal);
  requireScopedAdmin(input);
  const { organizationId, actor } = principal;
  const secret = newSecret();
  const hint = hintOf(secret);
  const expiresAt = input.expires_at === null ? null : new Date(input.expires_at);
  const row = await auditedTransaction(async (tx, event) => {
    const createdAt = event.occurredAt;
    await refuseOutliving(tx, principal, expiresAt);
    await requireRoom(tx, organizationId, "api_keys", 1);
    const made = await tx.apiKey.create({
      data: {
        organizationId,
        id: newIdAt(createdAt.getTime()),
        name: input.name,
        permission: input.permission,
        scope: input.scope,
        ipWhitelist: input.ip_whitelist,
        expiresAt,
        hint,
        createdAt,
        createdByType: actor.type,
        createdById: actor.type === "system" ? null : actor.id,
        createdByName: actor.name,
      },
    });
    await tx.apiKeySecret.create({
      data: { organizationId, apiKeyId: made.id, hash: Uint8Array.from(hashSecret(secret)), hint, issuedAt: createdAt },
    });
    event.resource("api_key", made.id);
    event.flag("key_created");
    recordChanges(event, made.name, null, recordedKey(made));
    return made;
  });
  return { ...toApiKey(row), secret };
}
