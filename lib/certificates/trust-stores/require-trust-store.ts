import { queryIn, type Transaction } from "@/lib/db/app";
import { invalid } from "@/lib/http/errors";

/** The error for a trust store that the organization does not have. */
export const UNKNOWN_TRUST_STORE = "is not the id of a trust store of this organization";

/** The ids of trust stores of the organization, among the given ids. Locks them, so that nobody deletes them meanwhile. */
export async function lockTrustStores(tx: Transaction, organizationId: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM certificate_trust_stores
    WHERE organization_id = ${organizationId}::uuid AND id = ANY (${ids}::uuid[]) ORDER BY id FOR KEY SHARE`;
  return new Set(found.map(({ id }) => id));
}

/** Locks the trust store, so that nobody deletes it meanwhile. Throws 400 if the organization does not have it. */
export async function requireTrustStore(tx: Transaction, organizationId: string, id: string | null): Promise<void> {
  if (id === null) return;
  const found = await lockTrustStores(tx, organizationId, [id]);
  if (!found.has(id)) throw invalid("trust_store_id", UNKNOWN_TRUST_STORE);
}

/** The trust store of a new endpoint that names none, locked so that nobody deletes it meanwhile; null if there is none. */
export async function lockDefaultTrustStore(tx: Transaction, organizationId: string): Promise<string | null> {
  const found = await queryIn<{ id: string }>(tx, {
    text: `SELECT id FROM certificate_trust_stores
      WHERE organization_id = $1::uuid AND is_default FOR KEY SHARE`,
    values: [organizationId],
  });
  return found[0]?.id ?? null;
}
