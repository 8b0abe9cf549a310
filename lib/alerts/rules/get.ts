import { readAlertRule } from "@/lib/alerts/rules/alert-rule";
import type * as contract from "@/lib/alerts/rules/contract";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** One alert rule. Throws 404. */
export function getAlertRule(
  { organizationId }: Principal,
  { id }: Input<typeof contract.getAlertRule>,
): Promise<Output<typeof contract.getAlertRule>> {
  return readAlertRule(organizationId, id);
}
