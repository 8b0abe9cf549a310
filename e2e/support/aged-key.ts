import type { Key } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { idAt, newId } from "@/lib/ids";

/** Makes an unused key `ms` older. Its id contains the time of its creation, so the key is returned with a new id. */
export async function aged(server: Sealwatch, key: Key, ms: number): Promise<Key> {
  const createdAt = Date.now() - ms;
  const id = idAt(createdAt).slice(0, 14) + newId().slice(14);
  await query(server, "app", "UPDATE api_keys SET id = $2, created_at = $3 WHERE id = $1", [
    key.id,
    id,
    new Date(createdAt).toISOString(),
  ]);
  await query(server, "app", "UPDATE api_key_secrets SET issued_at = $2 WHERE api_key_id = $1", [
    id,
    new Date(createdAt).toISOString(),
  ]);
  return { ...key, id };
}
