import { listAuditLogs as contract } from "@/lib/audit-logs/contract";
import { listAuditLogs } from "@/lib/audit-logs/read/list";
import { actions } from "@/lib/http/actions";
import type { Principal } from "@/lib/http/principal";

/** Verbs that change a resource as people know it; checks, tests and reads are not its history. */
const CHANGES =
  /\.(create|update|bulk_update|delete|revoke|rotate|rotate_secret|rotate_url|disable|verify|restore|set_plan)$/;

/** The filter `action` for changes to resources of these types. */
export function changeActions(types: readonly string[]): string {
  return actions.filter((each) => types.includes(each.split(".", 1)[0] ?? "") && CHANGES.test(each)).join(",");
}

/** The newest successful changes to resources, from the audit log. `types` are their types there. */
export async function readChanges(
  principal: Principal,
  types: readonly string[],
  ids: readonly string[],
  limit: number,
) {
  // No id would be no filter.
  if (ids.length === 0) return { items: [], nextCursor: null };
  const filters = { resource_type: types.join(","), resource_id: ids.join(","), action: changeActions(types) };
  return listAuditLogs(principal, contract.query.parse({ ...filters, status: "!4xx,!5xx", limit }));
}
