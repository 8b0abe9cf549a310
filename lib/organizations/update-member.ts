import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type * as contract from "@/lib/organizations/contract";
import { changeMemberIn } from "@/lib/organizations/membership";
import { requireOwn } from "@/lib/organizations/organization";

/** Changes a member's permission. Throws 403, 404, 409 if no admin would be left. */
export async function updateMember(
  principal: Principal,
  { id, user_id, permission }: Input<typeof contract.updateMember>,
): Promise<Output<typeof contract.updateMember>> {
  requireAdmin(principal);
  requireOwn(principal, id);
  return auditedTransaction((tx, event) =>
    changeMemberIn(tx, event, { organizationId: id, userId: user_id }, permission),
  );
}
