import pg from "pg";
import { hashSecret, newSecret } from "@/lib/auth/secret";
import { hintOf } from "@/lib/auth/secret-form";
import { newId } from "@/lib/ids";

/** The same in every run: a log that was filled and sealed by another key would not be signed. */
export const SERVER_KEYS = {
  ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
  AUDIT_SEAL_KEY: Buffer.alloc(32, 2).toString("base64"),
};

/** Creates `count` admin keys, and their organization if it is missing. Returns the secrets. */
export async function makeKeys(databaseUrl: string, organizationId: string, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => ({ id: newId(), secret: newSecret() }));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO organizations (id, name, slug, plan, audit_classes, created_at)
       VALUES ($1, 'Bench', 'bench', 'business', '{365}', now()) ON CONFLICT DO NOTHING`,
      [organizationId],
    );
    await client.query(
      `WITH given AS (SELECT * FROM unnest($2::uuid[], $3::text[], $4::bytea[]) AS given (id, hint, hash)), made AS (
         INSERT INTO api_keys (organization_id, id, name, permission, ip_whitelist, hint, created_at, created_by_type, created_by_name)
         SELECT $1, id, hint, 'admin', '{}', hint, now(), 'system', 'Bench' FROM given
       )
       INSERT INTO api_key_secrets (hash, organization_id, api_key_id, hint, issued_at)
       SELECT hash, $1, id, hint, now() FROM given`,
      [
        organizationId,
        keys.map(({ id }) => id),
        keys.map(({ secret }) => hintOf(secret)),
        keys.map(({ secret }) => hashSecret(secret)),
      ],
    );
    return keys.map(({ secret }) => secret);
  } finally {
    await client.end();
  }
}
