import { toApiKey } from "@/lib/api-keys/api-key";
import type * as contract from "@/lib/api-keys/contract";
import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

const FILTERS = "api-keys";

/** Lists the organization's keys, newest first. */
export async function listApiKeys(
  { organizationId }: Principal,
  { limit, cursor }: Input<typeof contract.listApiKeys>,
): Promise<Output<typeof contract.listApiKeys>> {
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().apiKey.findMany({
    where: { organizationId, ...(after !== null && { id: { lt: after } }) },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, FILTERS);
  return { items: items.map((row) => toApiKey(row)), nextCursor };
}
