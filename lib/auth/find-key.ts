import { pool } from "@/lib/db/app";
import { coalesce } from "@/lib/db/coalesce";
import type { Permission } from "@/lib/http/principal";
import { processSingleton } from "@/lib/process-singleton";

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

// The parameter hides in a SELECT: where the planner sees how many are asked for, it plans anew each time, which takes
// longer than finding them. LIMIT keeps it on the primary key, also while its statistics know of no keys yet.
const SQL = `
SELECT s.hash, k.organization_id AS "organizationId", o.plan, k.id, k.name, s.hint, k.permission, k.ip_whitelist AS "ipWhitelist",
  k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", s.retired_at AS "retiredAt"
FROM api_key_secrets s
CROSS JOIN LATERAL (SELECT * FROM api_keys WHERE organization_id = s.organization_id AND id = s.api_key_id LIMIT 1) AS k
CROSS JOIN LATERAL (SELECT plan FROM organizations WHERE id = s.organization_id LIMIT 1) AS o
WHERE s.hash = ANY((SELECT $1::bytea[])::bytea[])`;

/**
 * The key that a secret's SHA-256 belongs to, read from the database at every request: nothing remembers that a key was
 * good. The comparison is the index's, of hashes of 238 random bits, so its timing tells nothing of use.
 */
export function findKey(hash: Buffer): Promise<FoundKey | null> {
  const find = processSingleton("auth.find-key", () =>
    coalesce<Buffer, FoundKey | null>(async (hashes) => {
      const { rows } = await pool().query<Row>({ name: "find-key", text: SQL, values: [hashes] });
      const byHash = new Map(rows.map((row) => [row.hash.toString("latin1"), row]));
      return (key) => byHash.get(key.toString("latin1")) ?? null;
    }),
  );
  return find(hash);
}
