import { pool } from "@/lib/db/app";
import { coalesce } from "@/lib/db/coalesce";
import type { Permission } from "@/lib/http/principal";
import { processSingleton } from "@/lib/process-singleton";

/** The data of a key that the pipeline needs, found by any of its current and former secrets. */
export interface FoundKey {
  organizationId: string;
  plan: string;
  id: string;
  name: string;
  hint: string;
  permission: Permission;
  /** What it may be used for, if for one purpose only (lib/auth/scopes.ts). */
  scope: string | null;
  ipWhitelist: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** When a rotation replaced this secret. */
  retiredAt: Date | null;
}

interface Row extends FoundKey {
  hash: Buffer;
}

// The parameter is wrapped in a SELECT: if the planner sees its length, it plans again each time, which takes longer than the look-up.
// LIMIT keeps the plan on the primary key, even before statistics include any keys.
const SQL = `
SELECT s.hash, k.organization_id AS "organizationId", o.plan, k.id, k.name, s.hint, k.permission, k.scope, k.ip_whitelist AS "ipWhitelist",
  k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", s.retired_at AS "retiredAt"
FROM api_key_secrets s
CROSS JOIN LATERAL (SELECT * FROM api_keys WHERE organization_id = s.organization_id AND id = s.api_key_id LIMIT 1) AS k
CROSS JOIN LATERAL (SELECT plan FROM organizations WHERE id = s.organization_id LIMIT 1) AS o
WHERE s.hash = ANY((SELECT $1::bytea[])::bytea[])`;

/**
 * The key that belongs to a secret's SHA-256. Read from the database for every request, without a cache. The index compares hashes
 * of 238 random bits, so the timing reveals nothing useful.
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
