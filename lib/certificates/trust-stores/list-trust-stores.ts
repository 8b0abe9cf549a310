import type * as contract from "@/lib/certificates/trust-stores/trust-store-contract";
import { toTrustStore, trustStoreRelations } from "@/lib/certificates/trust-stores/trust-store-row";
import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

const FILTERS = "certificates/trust-stores";

/** The organization's trust stores, newest first. */
export async function listTrustStores(
  { organizationId }: Principal,
  { limit, cursor }: Input<typeof contract.listTrustStores>,
): Promise<Output<typeof contract.listTrustStores>> {
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().certificateTrustStore.findMany({
    where: { organizationId, ...(after !== null && { id: { lt: after } }) },
    include: trustStoreRelations,
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, FILTERS);
  return { items: items.map(toTrustStore), nextCursor };
}
