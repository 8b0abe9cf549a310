import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { requireOwn } from "@/lib/organizations/organization";
import type * as contract from "@/lib/status-pages/contract";
import { readStatusPage, toStatusPage } from "@/lib/status-pages/status-page";

/** One status page of the organization. Throws 404. */
export async function getStatusPage(
  principal: Principal,
  { id, page_id }: Input<typeof contract.getStatusPage>,
): Promise<Output<typeof contract.getStatusPage>> {
  requireOwn(principal, id);
  return toStatusPage(await readStatusPage(id, page_id));
}
