import type * as contract from "@/lib/api-keys/contract";
import { refuseOutliving } from "@/lib/api-keys/outlive";
import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { hashSecret, newSecret } from "@/lib/auth/secret";
import { hintOf } from "@/lib/auth/secret-form";
import { requireRoom } from "@/lib/billing/plan-limits";
import type { Transaction } from "@/lib/db/app";
import type { ApiKey as Row } from "@/lib/db/generated/app/client";
import type { Input } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { newIdAt } from "@/lib/ids";

/**
 * Creates a key and its secret within a larger change, whose event is flagged; only the hash is stored. A key that replaces one which this
 * change revoked needs no room in the plan. Throws 400, 402.
 */
export async function issueKey(
  tx: Transaction,
  event: AuditEventDraft,
  principal: Principal,
  input: Input<typeof contract.createApiKey>,
  isReplacement = false,
): Promise<{ row: Row; secret: string }> {
  const { organizationId, actor } = principal;
  const secret = newSecret();
  const hint = hintOf(secret);
  const expiresAt = input.expires_at === null ? null : new Date(input.expires_at);
  const createdAt = event.occurredAt;
  await refuseOutliving(tx, principal, expiresAt);
  if (!isReplacement) await requireRoom(tx, organizationId, "api_keys", 1);
  const row = await tx.apiKey.create({
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
    data: { organizationId, apiKeyId: row.id, hash: Uint8Array.from(hashSecret(secret)), hint, issuedAt: createdAt },
  });
  event.flag("key_created");
  return { row, secret };
}
