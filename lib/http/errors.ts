/** The closed list of failures and the HTTP status each has. */
export const errorStatus = {
  INVALID_REQUEST: 400,
  UNAUTHENTICATED: 401,
  INVALID_API_KEY: 401,
  API_KEY_EXPIRED: 401,
  API_KEY_REVOKED: 401,
  PLAN_LIMIT_REACHED: 402,
  METHOD_NOT_ALLOWED: 403,
  IP_NOT_ALLOWED: 403,
  CROSS_SITE_REQUEST: 403,
  NOT_FOUND: 404,
  METHOD_NOT_SUPPORTED: 405,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  CLIENT_CLOSED_REQUEST: 499,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** When each is answered, as the documentation and the dashboard's reference say it. */
export const errorMeaning: Record<ErrorCode, string> = {
  INVALID_REQUEST: "A parameter, header or body is invalid, or the JSON is malformed.",
  UNAUTHENTICATED: "The request has no credential.",
  INVALID_API_KEY: "No such key exists, or the value does not have the form of one.",
  API_KEY_EXPIRED: "The key is past its expiration.",
  API_KEY_REVOKED: "The key was revoked, or this secret was replaced by a rotation.",
  PLAN_LIMIT_REACHED: "The organization's plan does not allow one more.",
  METHOD_NOT_ALLOWED:
    "A read credential used a method other than GET, or a key asked for something only a person can do.",
  IP_NOT_ALLOWED: "The client's address is not in the key's whitelist.",
  CROSS_SITE_REQUEST: "A session cookie came with a write from a page of another site.",
  NOT_FOUND: "No such route or resource exists, or it belongs to another organization.",
  METHOD_NOT_SUPPORTED: "The route does not have this method; Allow lists those it has.",
  CONFLICT:
    "A unique name is taken, the Idempotency-Key was used for another request, or the state does not allow the change.",
  PRECONDITION_FAILED: "If-Match names another version than the current one.",
  BODY_TOO_LARGE: "The body is larger than the limit.",
  UNSUPPORTED_MEDIA_TYPE: "The body is not application/json.",
  RATE_LIMITED: "The limit is used up.",
  CLIENT_CLOSED_REQUEST: "The client closed the connection before its body was complete. Only in the audit log.",
  INTERNAL_ERROR: "Sealwatch failed.",
  UNAVAILABLE:
    "A database or service that the request needs is away, or a limit of time, memory or concurrency is reached.",
};

export interface Issue {
  /** Where, dotted from the top of the query or body: `ip_whitelist.1`. */
  path: string;
  message: string;
}

export interface ErrorDetails {
  /** Whole seconds; on 429 and 503. */
  retry_after?: number;
  /** On 400: the fields that do not fit, the first 100. */
  issues?: Issue[];
  /** On 402: what the plan allows, and what is in use. */
  limit?: number;
  used?: number;
}

/** A failure that the caller is told about. Anything else that is thrown is an `INTERNAL_ERROR` and only logged. */
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

/** 404 in the same words for what is not there and what belongs to another organization. */
export function notFound(): ApiError {
  return new ApiError("NOT_FOUND", "There is no such resource.");
}

/** 400 naming one field. */
export function invalid(path: string, message: string): ApiError {
  return new ApiError("INVALID_REQUEST", `${path}: ${message}`, { issues: [{ path, message }] });
}
