import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type * as contract from "@/lib/organizations/contract";
import { requireOwn, toOrganization } from "@/lib/organizations/organization";

/** Renames the organization. Throws 403, 404. */
export async function updateOrganization(
  principal: Principal,
  { id, name }: Input<typeof contract.updateOrganization>,
): Promise<Output<typeof contract.updateOrganization>> {
  requireAdmin(principal);
  requireOwn(principal, id);
  return auditedTransaction(async (tx, event) => {
    const before = await tx.organization.findUnique({ where: { id } });
    if (before === null) throw notFound();
    event.resource("organization", id);
    if (name === undefined || name === before.name) return toOrganization(before, principal.permission);
    const row = await tx.organization.update({ where: { id }, data: { name } });
    event.row.details = { name: { from: before.name, to: name } };
    recordChanges(event, before.name, { name: before.name }, { name });
    event.flag("organization_updated");
    return toOrganization(row, principal.permission);
  });
}
