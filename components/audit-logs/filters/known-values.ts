import type { FilterNames } from "@/components/audit-logs/filters/filter-box";
import { type Known, type KnownValues, MAX_KNOWN } from "@/components/audit-logs/filters/filter-fields";
import { countryName } from "@/components/statistics/countries";
import { endpoints } from "@/lib/api/endpoints";
import type { ApiKey } from "@/lib/api-keys/contract";
import { getApiKey } from "@/lib/api-keys/get";
import { listApiKeys } from "@/lib/api-keys/list";
import { topValues } from "@/lib/audit-logs/count/stats";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { logFailure } from "@/lib/db/outage-log";
import { API_PREFIX } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { listMembers } from "@/lib/organizations/list-members";
import { uuidsIn } from "@/lib/text/shapes/uuid";

const SEEN_WITHIN_MS = 30 * 86_400_000;

/** Older keys of which the names are read. */
const MAX_OLDER = 20;

/** The organization's newest keys and its members, whose names the tokens show, and the older keys whose ids are in `shown`. */
export async function knownNames(principal: Principal, shown: string): Promise<KnownValues> {
  const [keys, members] = await Promise.all([
    knownKeys(principal, shown),
    listMembers(principal, { id: principal.organizationId, limit: MAX_KNOWN, cursor: undefined }),
  ]);
  return { api_key_id: keys, user_id: members.items.map(({ user_id, name }) => ({ value: user_id, label: name })) };
}

/** The organization's newest keys, and the older ones whose ids are in `shown`. */
export async function knownKeys(principal: Principal, shown: string): Promise<readonly Known[]> {
  const { items, nextCursor } = await listApiKeys(principal, { limit: MAX_KNOWN, cursor: undefined });
  const newest = items.map(toKnown);
  return nextCursor === null ? newest : [...newest, ...(await olderKeys(principal, newest, shown))];
}

const toKnown = ({ id, name, hint }: ApiKey): Known => ({ value: id, label: name, secretHint: hint });

async function olderKeys(principal: Principal, newest: readonly Known[], shown: string): Promise<Known[]> {
  const older = uuidsIn(shown).filter((id) => !newest.some(({ value }) => value === id));
  // An id that is not of a key of the organization stays an id.
  const keys = await Promise.allSettled(older.slice(0, MAX_OLDER).map((id) => getApiKey(principal, { id })));
  return keys.flatMap((key) => (key.status === "fulfilled" ? [toKnown(key.value)] : []));
}

/** What the filter box of a form knows: names, and recent values, for which the form does not wait. */
export async function knownFilters(principal: Principal, shown = ""): Promise<FilterNames> {
  const later = recentValues(principal);
  return { names: await knownNames(principal, shown), later };
}

/** Recent values of the log, and all routes. Used only for completion, so after a failure the values are left out. */
export async function recentValues(principal: Principal): Promise<KnownValues> {
  const routes = [...new Set(endpoints.map(({ path }) => API_PREFIX + path))].sort().map((value) => ({ value }));
  try {
    const scope = await scopeOf(principal.organizationId);
    const { ip, country } = await topValues(scope, { since: Date.now() - SEEN_WITHIN_MS }, ["ip", "country"]);
    return {
      route: routes,
      ip: ip.map(({ value }) => ({ value })),
      country: country.map(({ value }) => ({ value, label: countryName(value) })),
    };
  } catch (error) {
    logFailure("the values for completion could not be read", error);
    return { route: routes };
  }
}
