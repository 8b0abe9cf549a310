import { listAuditLogs as contract } from "@/lib/audit-logs/contract";
import { listAuditLogs } from "@/lib/audit-logs/read/list";
import { actions } from "@/lib/http/actions";
import type { Principal } from "@/lib/http/principal";

/** Verbs that change a resource as people know it; checks, tests and reads are not its history. */
const CHANGES =
  /\.(create|update|bulk_update|delete|revoke|rotate|rotate_secret|rotate_url|disable|verify|restore|set_plan|pause|resume|replay)$/;

/** Filters of the audit log. */
export type ChangeFilters = Readonly<Record<string, string>>;

/** The filters for changes to resources. `types` are their types in the audit log; without `ids` there are none. */
export function resourceChanges(types: readonly string[], ids: readonly string[]): ChangeFilters {
  const action = actions.filter((each) => types.includes(each.split(".", 1)[0] ?? "") && CHANGES.test(each));
  return { resource_type: types.join(","), resource_id: ids.join(","), action: action.join(",") };
}

/** The filters for changes to memberships: by flag, because accepted invitations and sign-ins with groups change them too. */
export const memberChanges: ChangeFilters = { flag: "member_added,member_changed,member_removed" };

/** The newest successful changes that match the filters, from the audit log. */
export async function readChanges(principal: Principal, filters: ChangeFilters, limit: number) {
  // No id would be no filter.
  if (filters.resource_id === "") return { items: [], nextCursor: null };
  return listAuditLogs(principal, contract.query.parse({ ...filters, status: "!4xx,!5xx", limit }));
}
