import { type ApiKey, ROTATION_DAYS } from "@/lib/api-keys/contract";
import type { ApiKey as Row } from "@/lib/db/generated/app/client";

const DAY_MS = 86_400_000;

/** A key's record as the contract shows it. */
export function toApiKey(row: Row, now = new Date()): ApiKey {
  const issuedAt = row.rotatedAt ?? row.createdAt;
  const expired = row.expiresAt !== null && row.expiresAt <= now;
  return {
    id: row.id,
    name: row.name,
    permission: row.permission as ApiKey["permission"],
    ip_whitelist: row.ipWhitelist,
    expires_at: row.expiresAt?.toISOString() ?? null,
    status: row.revokedAt !== null ? "revoked" : expired ? "expired" : "active",
    hint: row.hint,
    created_at: row.createdAt.toISOString(),
    created_by: {
      type: row.createdByType as ApiKey["created_by"]["type"],
      id: row.createdById,
      name: row.createdByName,
    },
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    last_used_ip: row.lastUsedIp,
    rotated_at: row.rotatedAt?.toISOString() ?? null,
    rotation_due_at: new Date(issuedAt.getTime() + ROTATION_DAYS * DAY_MS).toISOString(),
    revoked_at: row.revokedAt?.toISOString() ?? null,
  };
}
