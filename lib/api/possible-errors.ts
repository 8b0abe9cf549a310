import { versionedResource } from "@/lib/api/versions";
import type { Endpoint } from "@/lib/http/endpoint";
import { type ErrorCode, errorStatus } from "@/lib/http/errors";

/** What the pipeline (`lib/api/route.ts`) answers to any request, before and around the work of an endpoint. */
const always: readonly ErrorCode[] = [
  ...(["INVALID_REQUEST", "INVALID_API_KEY", "API_KEY_EXPIRED", "API_KEY_REVOKED"] as const),
  ...(["OUT_OF_SCOPE", "IP_NOT_ALLOWED", "RATE_LIMITED", "INTERNAL_ERROR", "UNAVAILABLE"] as const),
];

/** What the pipeline answers to a request that may have a body or change something. */
const onWrites: readonly ErrorCode[] = [
  ...(["METHOD_NOT_ALLOWED", "CROSS_SITE_REQUEST", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const),
];

/** Whether requests may have an `Idempotency-Key`. */
export function takesIdempotencyKey({ method, public: isPublic }: Endpoint): boolean {
  return method === "POST" && !isPublic;
}

/** Whether requests may have an `If-Match`. */
export function takesIfMatch({ method, path, status }: Endpoint): boolean {
  return method !== "GET" && status !== 201 && versionedResource(method, path) !== undefined;
}

/**
 * The error codes with which an endpoint can answer, in the order of `errorStatus`: what follows from its contract, and what the
 * contract itself names in `errors`. `CLIENT_CLOSED_REQUEST` reaches nobody. A request without an `Idempotency-Key` gets `CONFLICT`
 * only if the contract names it.
 */
export function possibleErrors(endpoint: Endpoint, hasIdempotencyKey = takesIdempotencyKey(endpoint)): ErrorCode[] {
  const { method, path, errors = [], person, public: isPublic } = endpoint;
  const isWrite = method !== "GET";
  const possible = new Set<ErrorCode>([
    ...always,
    ...(isWrite ? onWrites : []),
    ...(person ? (["METHOD_NOT_ALLOWED"] as const) : []),
    ...(isPublic ? [] : (["UNAUTHENTICATED"] as const)),
    ...(path.includes("{") ? (["NOT_FOUND"] as const) : []),
    ...(hasIdempotencyKey ? (["CONFLICT"] as const) : []),
    ...(takesIfMatch(endpoint) ? (["PRECONDITION_FAILED"] as const) : []),
    ...errors,
  ]);
  return (Object.keys(errorStatus) as ErrorCode[]).filter((code) => possible.has(code));
}
