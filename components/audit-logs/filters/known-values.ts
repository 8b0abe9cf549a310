import type { FilterNames } from "@/components/audit-logs/filters/filter-box";
import type { KnownValues } from "@/components/audit-logs/filters/filter-fields";
import { countryName } from "@/components/statistics/countries";
import { endpoints } from "@/lib/api/endpoints";
import { listApiKeys } from "@/lib/api-keys/list";
import { getAuditStats } from "@/lib/audit-logs/count/stats";
import { logFailure } from "@/lib/db/outage-log";
import { API_PREFIX } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { listMembers } from "@/lib/organizations/list-members";

const SEEN_WITHIN_MS = 30 * 86_400_000;

/** The organization's keys and members, whose names the tokens show. */
export async function knownNames(principal: Principal): Promise<KnownValues> {
  const [keys, members] = await Promise.all([
    listApiKeys(principal, { limit: 200, cursor: undefined }),
    listMembers(principal, { id: principal.organizationId, limit: 200, cursor: undefined }),
  ]);
  return {
    api_key_id: keys.items.map(({ id, name, hint }) => ({ value: id, label: name, secretHint: hint })),
    user_id: members.items.map(({ user_id, name }) => ({ value: user_id, label: name })),
  };
}

/** What the filter box of a form knows: names, and recent values, for which the form does not wait. */
export async function knownFilters(principal: Principal): Promise<FilterNames> {
  const later = recentValues(principal);
  return { names: await knownNames(principal), later };
}

/** Recent values of the log, and all routes. Used only for completion, so after a failure the values are left out. */
export async function recentValues(principal: Principal): Promise<KnownValues> {
  const routes = [...new Set(endpoints.map(({ path }) => API_PREFIX + path))].sort().map((value) => ({ value }));
  try {
    const { by_ip, by_country } = await getAuditStats(principal, {
      interval: "day",
      since: Date.now() - SEEN_WITHIN_MS,
    });
    return {
      route: routes,
      ip: by_ip.map(({ value }) => ({ value })),
      country: by_country.map(({ value }) => ({ value, label: countryName(value) })),
    };
  } catch (error) {
    logFailure("the values for completion could not be read", error);
    return { route: routes };
  }
}
