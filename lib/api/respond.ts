import type { ApiError } from "@/lib/http/errors";
import type { Group } from "@/lib/http/groups";
import type { RateLimit } from "@/lib/rate-limits/limit";
import { WINDOW_MS } from "@/lib/rate-limits/window";

/** A response whose body is already in memory and does not have to be read from a stream. */
export class ReadyResponse extends Response {
  constructor(
    readonly content: string,
    init: ResponseInit,
  ) {
    super(content, init);
  }
}

/** A JSON response. */
export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new ReadyResponse(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
  });
}

/** The response for any error; all have the same shape. A response to HEAD has no body. */
export function errorResponse(error: ApiError, requestId: string, method: string): Response {
  const { retry_after } = error.details;
  const headers = {
    ...error.headers,
    ...(retry_after !== undefined && { "Retry-After": String(retry_after) }),
  };
  const body = { error: { code: error.code, message: error.message, request_id: requestId, ...error.details } };
  if (method === "HEAD") return new Response(null, { status: error.status, headers });
  return jsonResponse(error.status, body, headers);
}

/**
 * Headers of every response under /api/v1. The rate limit is there twice: in our own headers, and as the policy of the group in the
 * fields of draft-ietf-httpapi-ratelimit-headers-10.
 */
export function commonHeaders(requestId: string, group: Group, limit: RateLimit): Record<string, string> {
  return {
    "X-Request-Id": requestId,
    "RateLimit-Policy": `"${group}";q=${limit.limit};w=${WINDOW_MS / 1000}`,
    RateLimit: `"${group}";r=${limit.remaining};t=${limit.resetAfter}`,
    "X-RateLimit-Limit": String(limit.limit),
    "X-RateLimit-Remaining": String(limit.remaining),
    "X-RateLimit-Reset": String(limit.reset),
    "Cache-Control": "no-store",
  };
}

export function withHeaders(response: Response, requestId: string, group: Group, limit: RateLimit): Response {
  for (const [name, value] of Object.entries(commonHeaders(requestId, group, limit))) response.headers.set(name, value);
  return response;
}
