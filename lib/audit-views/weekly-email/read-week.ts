import { countEvents } from "@/lib/audit-logs/count/stats";
import { type Filters, filters } from "@/lib/audit-logs/filters";
import { getAuditFacets } from "@/lib/audit-logs/group/facets";
import type { AuditFacet } from "@/lib/audit-logs/group/facets-contract";
import { listAuditLogs } from "@/lib/audit-logs/read/list";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { WITHOUT_READS } from "@/lib/audit-logs/via";
import type { AuditView } from "@/lib/audit-views/contract";
import { type Week, weekBefore } from "@/lib/audit-views/week";
import type { Top, WeekOfView } from "@/lib/audit-views/weekly-email/email-text";
import { db } from "@/lib/db/app";
import { isTimeLimit } from "@/lib/db/unavailable";
import type { Principal } from "@/lib/http/principal";

const MAX_ROWS = 5;
/** Enough for a week on a slow machine. */
const MAX_SEARCHES = 20;

/** The dimensions in an e-mail, with their titles. */
const tables: readonly (readonly [AuditFacet["dimension"], string])[] = [
  ["api_key_id", "API keys"],
  ["user_id", "People"],
  ["status", "Statuses"],
];

/** The filters of a view without its range, as the dashboard applies them. Throws if a filter no longer exists. */
function filtersOf(query: AuditView["query"]): Filters {
  const {
    since: _since,
    until: _until,
    range: _range,
    order: _order,
    columns: _columns,
    group: _group,
    reads,
    ...named
  } = query;
  return filters.parse(reads === "shown" ? named : { via: WITHOUT_READS, ...named });
}

/** Nobody waits for an e-mail, so it counts more than a page. */
const FACETS_BUDGET_MS = 5_000;

/** The entries of a view in a week, whatever the range of the view. Rejects if the audit database is unavailable. */
export async function readWeek(principal: Principal, query: AuditView["query"], week: Week): Promise<WeekOfView> {
  const chosen = filtersOf(query);
  const within = { ...chosen, since: week.from, until: week.to };
  const facets = await getAuditFacets(principal, within, FACETS_BUDGET_MS);
  const names = await keyNames(principal, facets.facets);
  const tops = tables.flatMap(([dimension, title]): Top[] => {
    const facet = facets.facets.find((each) => each.dimension === dimension);
    if (facet === undefined) return [];
    const named = facet.values.map(({ value, name, events }) => ({ name: name ?? names.get(value) ?? value, events }));
    const isWhole = !facets.has_earlier || facet.since !== facets.since;
    return [{ title, values: named.slice(0, MAX_ROWS), newest: isWhole ? null : facets.events }];
  });
  return {
    week,
    count: facets.has_earlier ? await count(principal, chosen, week) : facets.events,
    countBefore: await count(principal, chosen, weekBefore(week)),
    tops,
    entries: await newestEntries(principal, within),
  };
}

/** The newest entries. A search that ran out of time has a cursor, and goes on there. */
async function newestEntries(principal: Principal, within: Filters): Promise<WeekOfView["entries"]> {
  const entries: WeekOfView["entries"][number][] = [];
  let cursor: string | undefined;
  for (let search = 0; search < MAX_SEARCHES; search++) {
    const page = { order: "desc", limit: MAX_ROWS - entries.length, cursor } as const;
    const { items, nextCursor } = await listAuditLogs(principal, { ...within, ...page });
    entries.push(...items);
    if (nextCursor === null || entries.length >= MAX_ROWS) break;
    cursor = nextCursor;
  }
  return entries;
}

/** The names of the keys among the values; counts of a whole range have only their ids. */
async function keyNames({ organizationId }: Principal, facets: readonly AuditFacet[]): Promise<Map<string, string>> {
  const ids = facets.flatMap(({ dimension, values }) =>
    dimension === "api_key_id" ? values.map(({ value }) => value) : [],
  );
  const rows = await db().apiKey.findMany({
    where: { organizationId, id: { in: ids } },
    select: { id: true, name: true },
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Null if it takes too long. */
async function count(principal: Principal, chosen: Filters, { from, to }: Week): Promise<number | null> {
  try {
    const scope = await scopeOf(principal.organizationId);
    return await countEvents(scope, { ...chosen, since: from, until: to });
  } catch (error) {
    if (isTimeLimit(error)) return null;
    throw error;
  }
}
