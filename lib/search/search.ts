import { only } from "@/lib/audit-logs/caller";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { findEvent } from "@/lib/audit-logs/read/find-event";
import { listEvents } from "@/lib/audit-logs/read/list";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { pool } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { isUnavailable } from "@/lib/db/unavailable";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { requireOwn } from "@/lib/organizations/organization";
import type * as contract from "@/lib/search/contract";
import { MAX_OF_TYPE, resultTypes, type SearchResult } from "@/lib/search/contract";
import { searchQuery, TRACE } from "@/lib/search/search-query";
import { isUuid } from "@/lib/text/shapes/uuid";
import { inTime } from "@/lib/time/in-time";

/** Milliseconds to wait for the audit database: while it hangs, everything else is found soon. */
const ENTRIES_MS = 2_000;

/** What the organization has that matches a text. Throws 404 for another organization. */
export async function searchOrganization(
  principal: Principal,
  { id, q }: Input<typeof contract.searchOrganization>,
): Promise<Output<typeof contract.searchOrganization>> {
  requireOwn(principal, id);
  const { text, values } = searchQuery(id, q);
  const [{ rows }, found] = await Promise.all([
    pool().query<SearchResult>(text, values),
    inTime(findEntries(id, q), ENTRIES_MS),
  ]);
  const entries = found ?? [];
  const groups = resultTypes.map((type) => [...entries, ...rows].filter((each) => each.type === type));
  return {
    results: groups.flatMap((group) => group.slice(0, MAX_OF_TYPE)),
    has_more: groups.some((group) => group.length > MAX_OF_TYPE),
  };
}

/** The event of a request by its id, or those of a trace. Without the audit database, everything else is found nevertheless. */
async function findEntries(organizationId: string, q: string): Promise<SearchResult[]> {
  if (!isUuid(q) && !TRACE.test(q)) return [];
  try {
    const scope = await scopeOf(organizationId);
    if (isUuid(q)) return [toResult(await findEvent(scope, q))];
    const { items } = await listEvents(scope, { limit: MAX_OF_TYPE + 1, order: "desc", trace_id: only(q) });
    return items.map(toResult);
  } catch (error) {
    if (error instanceof ApiError && error.code === "NOT_FOUND") return [];
    if (!isUnavailable(error)) throw error;
    logFailure("requests cannot be searched by an id", error);
    return [];
  }
}

function toResult({ id, request, resource, response }: AuditEvent): SearchResult {
  const name = request === null ? (resource.action ?? "event") : `${request.method} ${request.path}`;
  const status = response.status_code === null ? null : String(response.status_code);
  return { type: "audit_log", id, name, detail: response.error_code, status };
}
