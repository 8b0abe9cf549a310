import { type ApiKey, ROTATION_DAYS } from "@/lib/api-keys/contract";
import { pendingUse, type Use } from "@/lib/api-keys/last-use";
import { risksOf } from "@/lib/api-keys/risks";
import type { RecordedFields } from "@/lib/audit-logs/write/changes";
import { scopes } from "@/lib/auth/scopes";
import type { ApiKey as Row } from "@/lib/db/generated/app/client";
import { DAY_MS } from "@/lib/time/units";

/** The fields of a key whose changes are recorded. The hint stands for the secret. */
export function recordedKey({ name, permission, scope, ipWhitelist, expiresAt, hint, revokedAt }: Row): RecordedFields {
  return {
    name,
    permission,
    scope,
    ip_whitelist: ipWhitelist,
    expires_at: expiresAt?.toISOString() ?? null,
    hint,
    revoked_at: revokedAt?.toISOString() ?? null,
  };
}

/** A key in the form of the contract, including uses that this process has not written yet. */
export function toApiKey(row: Row, now = new Date()): ApiKey {
  const issuedAt = row.rotatedAt ?? row.createdAt;
  const expired = row.expiresAt !== null && row.expiresAt <= now;
  const { used, rotatedUsed } = pendingUse(row.id) ?? {};
  const ifLater = (use: Use | null | undefined, written: Date | null) =>
    use && (written === null || written < use.at) ? use : null;
  const lastUse = ifLater(used, row.lastUsedAt) ?? { at: row.lastUsedAt, ip: row.lastUsedIp };
  const rotatedSecretUsedAt = ifLater(rotatedUsed, row.rotatedSecretUsedAt)?.at ?? row.rotatedSecretUsedAt;
  const shown = {
    id: row.id,
    name: row.name,
    permission: row.permission as ApiKey["permission"],
    scope: scopes.find((scope) => scope === row.scope) ?? null,
    ip_whitelist: row.ipWhitelist,
    expires_at: row.expiresAt?.toISOString() ?? null,
    status: row.revokedAt !== null ? "revoked" : expired ? "expired" : ("active" as ApiKey["status"]),
    hint: row.hint,
    created_at: row.createdAt.toISOString(),
    created_by: {
      type: row.createdByType as ApiKey["created_by"]["type"],
      id: row.createdById,
      name: row.createdByName,
    },
    last_used_at: lastUse.at?.toISOString() ?? null,
    last_used_ip: lastUse.ip,
    rotated_at: row.rotatedAt?.toISOString() ?? null,
    rotation_due_at: new Date(issuedAt.getTime() + ROTATION_DAYS * DAY_MS).toISOString(),
    rotated_secret_used_at: rotatedSecretUsedAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
  };
  return { ...shown, risks: risksOf(shown, now.getTime()) };
}
