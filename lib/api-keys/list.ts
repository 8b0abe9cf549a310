import { toApiKey } from "@/lib/api-keys/api-key";
import type * as contract from "@/lib/api-keys/contract";
import { db } from "@/lib/db/app";
import type { ApiKey, Prisma } from "@/lib/db/generated/app/client";
import type { Kind } from "@/lib/http/cursor";
import type { Direction, Input, Output } from "@/lib/http/endpoint";
import { orderBy, readPage, sortBound, usualDirection } from "@/lib/http/page-order";
import type { Principal } from "@/lib/http/principal";

type Sort = NonNullable<Input<typeof contract.listApiKeys>["sort"]>;

/** The columns of each order. Uses of keys write `last_used_at` all the time, so it has no index. */
const columns: Record<Sort, Readonly<Record<string, Kind>>> = {
  newest: { id: "id" },
  name: { nameKey: "text", id: "id" },
  last_used: { lastUsedAt: "never or time", id: "id" },
  expiry: { expiresAt: "time or never", id: "id" },
};

function orderOf(sort: Sort, order: Direction) {
  return orderBy<ApiKey, Prisma.ApiKeyWhereInput, Prisma.ApiKeyOrderByWithRelationInput>(columns[sort], order);
}

/** Lists the organization's keys, newest first by default. */
export async function listApiKeys(
  { organizationId }: Principal,
  { limit, cursor, sort = "newest", order = usualDirection(sort) }: Input<typeof contract.listApiKeys>,
): Promise<Output<typeof contract.listApiKeys>> {
  const sorted = sortBound(sort, order);
  // The usual order is bound to the same text as in the previous release.
  const bound = sorted === "newest" ? "api-keys" : ["api-keys", sorted];
  const { rows, nextCursor } = await readPage(
    orderOf(sort, order),
    { limit, cursor },
    bound,
    ({ after = {}, ...page }) => db().apiKey.findMany({ where: { organizationId, AND: after }, ...page }),
  );
  return { items: rows.map((row) => toApiKey(row)), nextCursor };
}
