import type { Permission } from "@/lib/auth/principal";
import { pool } from "@/lib/db/app";
import { coalesce } from "@/lib/db/coalesce";
import { once } from "@/lib/once";

/** A key as the pipeline needs it, found by one of the secrets it ever had. */
export interface FoundKey {
  organizationId: string;
  plan: string;
  id: string;
  name: string;
  hint: string;
  permission: Permission;
  ipWhitelist: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** When this secret was replaced by a rotation. */
  retiredAt: Date | null;
}

interface Row extends FoundKey {
  hash: Buffer;
}

const SQL = `
SELECT s.hash, k.organization_id AS "organizationId", o.plan, k.id, k.name, s.hint, k.permission, k.ip_whitelist AS "ipWhitelist",
  k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", s.retired_at AS "retiredAt"
FROM api_key_secrets s
JOIN api_keys k ON k.organization_id = s.organization_id AND k.id = s.api_key_id
JOIN organizations o ON o.id = k.organization_id
WHERE s.hash = ANY($1)`;

/**
 * The key that a secret's SHA-256 belongs to, read from the database at every request: nothing remembers that a key was
 * good. The comparison is the index's, of hashes of 238 random bits, so its timing tells nothing of use.
 */
export function findKey(hash: Buffer): Promise<FoundKey | null> {
  const find = once("auth.find-key", () =>
    coalesce<Buffer, FoundKey | null>(async (hashes) => {
      const { rows } = await pool().query<Row>({ name: "find-key", text: SQL, values: [hashes] });
      const byHash = new Map(rows.map((row) => [row.hash.toString("latin1"), row]));
      return (key) => byHash.get(key.toString("latin1")) ?? null;
    }),
  );
  return find(hash);
}
