import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type * as contract from "@/lib/organizations/contract";
import { removeMemberIn } from "@/lib/organizations/membership";
import { requireOwn } from "@/lib/organizations/organization";

/** Removes a member, or the caller. Throws 403, 404, 409 if no admin would be left. */
export async function removeMember(
  principal: Principal,
  { id, user_id }: Input<typeof contract.removeMember>,
): Promise<Output<typeof contract.removeMember>> {
  requireAdmin(principal);
  requireOwn(principal, id);
  return auditedTransaction((tx, event) => removeMemberIn(tx, event, { organizationId: id, userId: user_id }));
}
