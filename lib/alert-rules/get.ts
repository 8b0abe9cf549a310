import { readAlertRule } from "@/lib/alert-rules/alert-rule";
import type * as contract from "@/lib/alert-rules/contract";
import type { Input, Output } from "@/lib/api/endpoint";
import type { Principal } from "@/lib/auth/principal";

/** One alert rule. Throws 404. */
export function getAlertRule(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getAlertRule>,
): Promise<Output<typeof contract.getAlertRule>> {
  return readAlertRule(organizationId, id);
}
