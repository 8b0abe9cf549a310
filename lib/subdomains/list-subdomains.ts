import { decodeIdCursor, encodeCursor } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/subdomains/contract";
import { readSubdomains } from "@/lib/subdomains/subdomain";

/** Discovered names that match the filters, newest first. */
export async function listSubdomains(
  { organizationId }: Principal,
  { limit, cursor, ...filters }: Input<typeof contract.listSubdomains>,
): Promise<Output<typeof contract.listSubdomains>> {
  const bound = ["subdomains", filters];
  const after = decodeIdCursor(cursor, bound);
  const found = await readSubdomains(organizationId, filters, { after, limit: limit + 1 });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: found.length > limit && last ? encodeCursor([last.id], bound) : null };
}
