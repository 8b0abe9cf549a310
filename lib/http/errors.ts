import { isUnavailable } from "@/lib/db/unavailable";

/** The closed list of error codes with their HTTP statuses. */
export const errorStatus = {
  INVALID_REQUEST: 400,
  UNAUTHENTICATED: 401,
  INVALID_API_KEY: 401,
  API_KEY_EXPIRED: 401,
  API_KEY_REVOKED: 401,
  PLAN_LIMIT_REACHED: 402,
  METHOD_NOT_ALLOWED: 403,
  OUT_OF_SCOPE: 403,
  INVALID_SIGNATURE: 403,
  IP_NOT_ALLOWED: 403,
  CROSS_SITE_REQUEST: 403,
  NOT_FOUND: 404,
  METHOD_NOT_SUPPORTED: 405,
  CONFLICT: 409,
  NOT_SEALED_YET: 409,
  REPORT_EXPIRED: 409,
  REPORT_REPLAYED: 409,
  PRECONDITION_FAILED: 412,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  CLIENT_CLOSED_REQUEST: 499,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** When each code is returned; used by the documentation and the dashboard's API reference. */
export const errorMeaning: Record<ErrorCode, string> = {
  INVALID_REQUEST: "A parameter, header or body is invalid, or the JSON is malformed.",
  UNAUTHENTICATED: "The request has no credential.",
  INVALID_API_KEY: "The key does not exist, or the value does not have the format of a key.",
  API_KEY_EXPIRED: "The key has expired.",
  API_KEY_REVOKED: "The key was revoked, or a rotation replaced this secret.",
  PLAN_LIMIT_REACHED: "The limit of the organization's plan is reached.",
  METHOD_NOT_ALLOWED:
    "A read credential used a method other than GET, a key requested what only a person can do, or a key that expires requested access that lasts.",
  OUT_OF_SCOPE: "The key has a scope, and this request is not part of it.",
  INVALID_SIGNATURE:
    "The signature of an agent's report does not match the report and the key that the agent enrolled.",
  IP_NOT_ALLOWED: "The client's address is not in the key's whitelist.",
  CROSS_SITE_REQUEST: "A page of another site sent a write with a session cookie.",
  NOT_FOUND: "No such route or resource exists, or it belongs to another organization.",
  METHOD_NOT_SUPPORTED: "The route does not support this method; the Allow header lists the supported methods.",
  CONFLICT:
    "A unique name is taken, the Idempotency-Key was used for another request, or the resource's state does not allow the change.",
  NOT_SEALED_YET: "No signed checkpoint of the sealed log covers the event yet. Try again after some seconds.",
  REPORT_EXPIRED: "An agent signed the report more than 24 hours ago.",
  REPORT_REPLAYED: "The agent has already sent a report with this or a later sequence number.",
  PRECONDITION_FAILED: "If-Match does not name the current version.",
  BODY_TOO_LARGE: "The body is larger than the limit.",
  UNSUPPORTED_MEDIA_TYPE: "The body is not application/json.",
  RATE_LIMITED: "The rate limit is reached.",
  CLIENT_CLOSED_REQUEST: "The client closed the connection before its body was complete. Only in the audit log.",
  INTERNAL_ERROR: "Sealwatch failed.",
  UNAVAILABLE:
    "A database or service that the request needs is unavailable, or a limit of time, memory or concurrency is reached.",
};

/** Seconds after which a caller may try again while a database is unavailable. */
export const UNAVAILABLE_SECONDS = 5;

export interface Issue {
  /** Location, dotted from the root of the query or body: `ip_whitelist.1`. */
  path: string;
  message: string;
}

export interface ErrorDetails {
  /** Whole seconds; with 429, 503, `NOT_SEALED_YET`, and `CONFLICT` with a request in progress. */
  retry_after?: number;
  /** With 400: the first 100 issues. */
  issues?: Issue[];
  /** With 402: the plan's limit and the current usage. */
  limit?: number;
  used?: number;
}

/** An error that is reported to the caller. Any other thrown error becomes `INTERNAL_ERROR`, and its details are only logged. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = errorStatus[code];
  }
}

/** Whether an error is reported to the caller. The class may exist twice in a process, and `instanceof` would miss the other copy's. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === "ApiError";
}

/** The error that the caller receives. Of an unexpected one it reveals only whether a database is unavailable. */
export function toApiError(error: unknown): ApiError {
  if (isApiError(error)) return error;
  if (isUnavailable(error)) {
    return new ApiError("UNAVAILABLE", "A database cannot be reached or took too long. Try again shortly.", {
      retry_after: UNAVAILABLE_SECONDS,
    });
  }
  return new ApiError("INTERNAL_ERROR", "Something went wrong on our side. If you report it, include the request id.");
}

/** The same 404 for resources that do not exist and resources of other organizations. */
export function notFound(): ApiError {
  return new ApiError("NOT_FOUND", "There is no such resource.");
}

/** A 400 that names one field. */
export function invalid(path: string, message: string): ApiError {
  return new ApiError("INVALID_REQUEST", `${path}: ${message}`, { issues: [{ path, message }] });
}

/** 400 with an issue per field. */
export function invalidFields(issues: Issue[]): ApiError {
  const named = issues.map(({ path, message }) => `${path}: ${message}`).join("; ");
  return new ApiError("INVALID_REQUEST", `${named}.`, { issues });
}

/** Why an item of a bulk request is invalid, so that it fails alone. Throws every error but a 400. */
export function asReason(error: unknown): { error: string } {
  if (isApiError(error) && error.code === "INVALID_REQUEST") return { error: error.message };
  throw error;
}

/** The codes of a violated unique constraint: Prisma's, and the SQLSTATE. */
const UNIQUE_VIOLATIONS: readonly unknown[] = ["P2002", "23505"];

/** Whether an error is the violation of a unique constraint. */
export function isDuplicate(error: unknown): boolean {
  return UNIQUE_VIOLATIONS.includes((error as { code?: unknown } | null)?.code);
}

/** Turns the violation of a unique constraint by a change into a 409 with this message. */
export async function refuseDuplicate<T>(message: string, changing: Promise<T>): Promise<T> {
  try {
    return await changing;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new ApiError("CONFLICT", message);
  }
}
