import type { Schemas } from "./operations.js";

type Failure = Schemas["Error"]["error"];
/** A code of the API, or `UNKNOWN` if the answer is not the API's, such as that of a proxy. */
export type ErrorCode = Failure["code"] | "UNKNOWN";
export type Issue = NonNullable<Failure["issues"]>[number];

/** An answer with a failure. */
export class SealwatchError extends Error {
  override readonly name = "SealwatchError";

  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    /** The id of the request's event in the audit log; null if the answer is not the API's. */
    readonly requestId: string | null,
    /** Seconds after which to try again; with 429, 503, `NOT_SEALED_YET`, and `CONFLICT` with a request in progress. */
    readonly retryAfter: number | null,
    /** The invalid fields; with 400. */
    readonly issues: readonly Issue[],
    /** What the plan allows, and how much of it is used; with 402. */
    readonly usage: { limit: number; used: number } | null,
  ) {
    super(message);
  }

  /** The first invalid field; with 400. */
  get field(): string | null {
    return this.issues[0]?.path ?? null;
  }
}

/** No answer: the connection failed or the time was over. `cause` has the error of the runtime. */
export class SealwatchConnectionError extends Error {
  override readonly name = "SealwatchConnectionError";

  constructor(
    message: string,
    /** Whether the time was over. */
    readonly isTimeout: boolean,
    cause: unknown,
  ) {
    super(message, { cause });
  }
}

/** The error of an answer. Reads its body. */
export async function errorOf(response: Response): Promise<SealwatchError> {
  const { error } = ((await response.json().catch(() => null)) ?? {}) as { error?: Partial<Failure> };
  const header = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new SealwatchError(
    response.status,
    error?.code ?? "UNKNOWN",
    error?.message ?? `The server answered with status ${response.status}.`,
    error?.request_id ?? response.headers.get("x-request-id"),
    error?.retry_after ?? (Number.isFinite(header) ? header : null),
    error?.issues ?? [],
    error?.limit !== undefined && error.used !== undefined ? { limit: error.limit, used: error.used } : null,
  );
}
