import { decodePosition, encodeCursor } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import { sortBound, usualDirection } from "@/lib/http/page-order";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/subdomains/contract";
import { readSubdomains } from "@/lib/subdomains/subdomain";

/** Discovered names that match the filters, newest first by default. */
export async function listSubdomains(
  { organizationId }: Principal,
  { limit, cursor, sort = "newest", order = usualDirection(sort), ...filters }: Input<typeof contract.listSubdomains>,
): Promise<Output<typeof contract.listSubdomains>> {
  const sorted = sortBound(sort, order);
  // The usual order is bound to the same texts as in the previous release.
  const bound = sorted === "newest" ? ["subdomains", filters] : ["subdomains", filters, sorted];
  const kinds = sort === "name" ? (["id", "text"] as const) : (["id"] as const);
  const after = cursor === undefined ? null : decodePosition(cursor, bound, kinds);
  const found = await readSubdomains(organizationId, filters, { sort, order, after, limit: limit + 1 });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const position = (last && { newest: [last.id], name: [last.id, last.name] }[sort]) ?? [];
  return { items, nextCursor: found.length > limit ? encodeCursor(position, bound) : null };
}
