import { type AuditEvent, listAuditLogs as contract } from "@/lib/audit-logs/contract";
import { listAuditLogs } from "@/lib/audit-logs/read/list";
import { type Action, actions } from "@/lib/http/actions";
import type { Page } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** Verbs that change a resource as people know it; checks, tests and reads are not its history. */
const CHANGES =
  /\.(create|update|bulk_update|delete|revoke|rotate|rotate_secret|rotate_url|disable|verify|restore|set_plan|pause|resume|replay)$/;

/**
 * By type of resource, requests about something else that change it: their event is about a resource of the other type, and names this one
 * in `resource_ids` unless it is the same.
 */
const CHANGES_BESIDES: Readonly<Record<string, { type: string; actions: readonly Action[] }>> = {
  api_key: {
    type: "certificate_agent",
    actions: ["certificate_agent.create", "certificate_agent.delete", "certificate_agent.replace_credentials"],
  },
  domain: { type: "issuance", actions: ["issuance.authorize"] },
  organization: { type: "organization", actions: ["billing.notice"] },
};

/** Searches for the newest changes, each of which stops after a while. */
const MAX_SEARCHES = 3;
/** Refused and failed requests changed nothing. */
const SUCCESSFUL = "!4xx,!5xx";

/** Filters of the audit log. */
export type ChangeFilters = Readonly<Record<string, string>>;

/** The filters for successful changes to resources. `types` are their types in the audit log; without `ids` there are none. */
export function resourceChanges(types: readonly string[], ids: readonly string[]): ChangeFilters {
  const besides = types.flatMap((type) => CHANGES_BESIDES[type] ?? []);
  const own = actions.filter((each) => types.includes(each.split(".", 1)[0] ?? "") && CHANGES.test(each));
  const all = (list: readonly string[]) => [...new Set(list)].join(",");
  return {
    resource_type: all([...types, ...besides.map(({ type }) => type)]),
    resource_id: ids.join(","),
    action: all([...own, ...besides.flatMap((each) => each.actions)]),
    status: SUCCESSFUL,
  };
}

/** The filters for successful changes to memberships: by flag, because accepted invitations and sign-ins with groups change them too. */
export const memberChanges: ChangeFilters = {
  flag: "member_added,member_changed,member_removed",
  status: SUCCESSFUL,
};

/** The newest changes that match the filters, from the audit log. With a cursor if there may be more, also if the search stopped early. */
export async function readChanges(
  principal: Principal,
  filters: ChangeFilters,
  limit: number,
): Promise<Page<AuditEvent>> {
  const items: AuditEvent[] = [];
  // No id would be no filter.
  if (filters.resource_id === "") return { items, nextCursor: null };
  let cursor: string | null = null;
  for (let search = 1; search <= MAX_SEARCHES && items.length < limit; search++) {
    const query = { ...filters, limit: limit - items.length, ...(cursor !== null && { cursor }) };
    const page: Page<AuditEvent> = await listAuditLogs(principal, contract.query.parse(query));
    items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return { items, nextCursor: cursor };
}
