import { endpoints } from "@/lib/api/endpoints";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import type { Flag } from "@/lib/audit-logs/flags";
import type { Entry } from "@/lib/audit-logs/write/append";
import type { FoundKey } from "@/lib/auth/find-key";
import { refuseKey } from "@/lib/auth/identify";
import type { Action } from "@/lib/http/actions";
import { API_PREFIX } from "@/lib/http/endpoint";
import { ApiError } from "@/lib/http/errors";
import { groupLimits } from "@/lib/http/groups";
import { methodNotAllowed } from "@/lib/http/principal";
import { newIdAt } from "@/lib/ids";
import { auditRetentionDays } from "@/lib/plans";
import { rateLimited } from "@/lib/rate-limits/limit";
import { slide } from "@/lib/rate-limits/window";

/** A source of requests. */
export interface Origin {
  address: string;
  country: string | null;
  agent: string;
}

/** A request: an action of the API, with the id, query and body that it needs. */
export interface Ask {
  action: Action;
  id?: string;
  query?: string;
  body?: unknown;
}

export interface Outcome {
  status?: number;
  error?: ApiError;
  flags?: Flag[];
  /** Of the rate limit, after the request. Without it, a few requests are missing. */
  remaining?: number;
}

const byAction = new Map(endpoints.map((endpoint) => [endpoint.action, endpoint]));

/** One request of a key as the pipeline would have recorded it. `next` returns random numbers from 0 to 1. */
export function request(
  at: number,
  key: FoundKey,
  { address, country, agent }: Origin,
  { action, id, query, body }: Ask,
  { status, error, flags = [], remaining }: Outcome,
  next: () => number,
): Entry {
  const endpoint = byAction.get(action);
  if (endpoint === undefined) throw new Error(`no endpoint does ${action}`);
  const route = API_PREFIX + endpoint.path;
  const sent = endpoint.method === "GET" ? null : Buffer.from(body === undefined ? "" : JSON.stringify(body));
  const limit = groupLimits[endpoint.group];
  const { row } = new AuditEventDraft({
    organization_id: key.organizationId,
    retention_days: auditRetentionDays(key.plan),
    id: newIdAt(at),
    method: endpoint.method,
    path: route.replace("{id}", id ?? ""),
    route,
    query: query ?? null,
    body_size: sent?.length ?? null,
    content_type: sent && sent.length > 0 ? "application/json" : null,
    auth_type: "api_key",
    api_key_id: key.id,
    api_key_name: key.name,
    api_key_hint: key.hint,
    status_code: error?.status ?? status ?? endpoint.status,
    // Skewed like real response times: mostly a few milliseconds, sometimes many.
    response_time_us: Math.round((error ? 900 : 2_400) * Math.exp(next() * 1.4 + next() ** 12 * 3)),
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
    ip_address: address,
    user_agent: agent,
    country,
    rate_limit_remaining: remaining ?? limit - 1 - Math.floor(next() * 12),
    flags,
    resource_type: action.slice(0, action.indexOf(".")),
    resource_id: id ?? null,
    action,
  });
  return { row, body: sent && sent.length > 0 ? sent : null };
}

/** How the pipeline refuses a key whose state does not allow a request at `at` from `address`. */
export function refused(key: FoundKey, address: string, at: number): Outcome {
  const refusal = refuseKey(key, address, new Date(at));
  if (refusal === null) throw new Error(`the key ${key.name} is not refused`);
  return { error: refusal.error, flags: [refusal.flag] };
}

export const wrote: Outcome = { error: methodNotAllowed(), flags: ["method_not_allowed"] };
/** The usual failures of a program: a resource was deleted meanwhile, or a cursor belongs to another list. */
export const notFound: Outcome = { error: new ApiError("NOT_FOUND", "There is no such resource.") };
export const wrongCursor: Outcome = {
  error: new ApiError("INVALID_REQUEST", "cursor: was created with different filters."),
};

/** The outcomes of a key's requests to the certificates group, by their ascending times: refused above its rate limit. */
export function withinLimit(): (at: number) => Outcome {
  const limit = groupLimits.certificates;
  const times: number[] = [];
  return (at) => {
    const { admitted, used, freeInMs } = slide(times, at, limit, true);
    const remaining = limit - used;
    if (admitted) return { remaining };
    const retryAfter = Math.ceil(freeInMs / 1000);
    return {
      error: rateLimited({ admitted, limit, remaining, reset: 0, resetAfter: 0, retryAfter }),
      flags: ["rate_limited"],
      remaining,
    };
  };
}

/** The workplace of the demonstration's people, as columns of an event. */
export const office = {
  ip_address: "198.51.100.7",
  country: "DE",
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0",
};
