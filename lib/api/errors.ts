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
