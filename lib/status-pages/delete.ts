import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { requireOwn } from "@/lib/organizations/organization";
import type * as contract from "@/lib/status-pages/contract";
import { readStatusPage, recordedPage, toStatusPage } from "@/lib/status-pages/status-page";

/** Deletes a status page and returns what it was. Throws 403, 404. */
export async function deleteStatusPage(
  principal: Principal,
  { id: organizationId, page_id: id }: Input<typeof contract.deleteStatusPage>,
): Promise<Output<typeof contract.deleteStatusPage>> {
  requireAdmin(principal);
  requireOwn(principal, organizationId);
  return auditedTransaction(async (tx, event) => {
    const last = toStatusPage(await readStatusPage(organizationId, id, tx));
    const { count } = await tx.statusPage.deleteMany({ where: { organizationId, id } });
    if (count === 0) throw notFound();
    event.resource("status_page", id);
    recordChanges(event, last.title, recordedPage(last), null);
    return last;
  });
}
