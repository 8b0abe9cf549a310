import { API_PREFIX, type Endpoint, type Item } from "@/lib/http/endpoint";
import type { ErrorCode, ErrorDetails } from "@/lib/http/errors";
import { ORGANIZATION_HEADER, organizationHeaders } from "@/lib/http/page-organization";
import { NO_LONGER_MEMBER, SESSION_OVER } from "@/lib/text/session-over";

/** An error response of the API, or status 0 if the API could not be reached. */
export class RequestFailed extends Error {
  override readonly name = "RequestFailed";

  constructor(
    readonly status: number,
    readonly code: ErrorCode | "UNREACHABLE",
    message: string,
    readonly details: ErrorDetails = {},
    readonly requestId: string | null = null,
  ) {
    super(message);
  }
}

type Sent<E extends Endpoint> = E["types"]["sent"];
type Answer<E extends Endpoint> = E extends { list: true }
  ? { data: Item<E>[]; pagination: { next_cursor: string | null; has_more: boolean } }
  : { data: Item<E> };

/** Calls an endpoint from the dashboard with the session's cookie, in the organization of the page. Throws RequestFailed. */
export async function call<E extends Endpoint>(endpoint: E, input: Sent<E>, signal?: AbortSignal): Promise<Answer<E>> {
  const { url, body } = encode(endpoint, input as Record<string, unknown>);
  const response = await fetch(url, {
    method: endpoint.method,
    ...(body !== undefined && { body }),
    headers: { ...organizationHeaders(), ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new RequestFailed(0, "UNREACHABLE", "Sealwatch cannot be reached. Check your connection.");
  });
  const answer = (await response.json().catch(() => null)) as unknown;
  if (response.ok) return answer as Answer<E>;
  const { error } = (answer ?? {}) as {
    error?: { code: ErrorCode; message: string; request_id: string } & ErrorDetails;
  };
  if (error === undefined) throw new RequestFailed(response.status, "INTERNAL_ERROR", "The response is invalid.");
  const { code, message, request_id, ...details } = error;
  if (details.issues?.[0]?.path === ORGANIZATION_HEADER) {
    throw new RequestFailed(response.status, code, NO_LONGER_MEMBER, {}, request_id);
  }
  const words = code === "UNAUTHENTICATED" ? SESSION_OVER : message;
  throw new RequestFailed(response.status, code, words, details, request_id);
}

/** Path parameters replace the braces. The remaining input becomes the query (GET and DELETE) or the JSON body (POST and PUT). */
function encode(endpoint: Endpoint, input: Record<string, unknown>): { url: string; body?: string } {
  const rest = { ...input };
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const url = API_PREFIX + path;
  if (endpoint.method === "POST" || endpoint.method === "PUT") return { url, body: JSON.stringify(rest) };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, String(value));
  return { url: query.size > 0 ? `${url}?${query}` : url };
}
