import { decodeIdCursor, pageById } from "@/lib/http/cursor";
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
  return pageById(found, limit, bound);
}
