import { type FetchedResponse, fetchGuarded } from "@/lib/network/http";
import { retryAfterMs } from "@/lib/network/retry-after";
import { failureOf } from "@/lib/notification-channels/providers/post";
import { SourceFailed, type SourceQuery } from "@/lib/subdomains/sources/source";

const MAX_WAIT_MS = 24 * 3_600_000;
/** For a search that returns 429 without a time to wait. */
const DEFAULT_RETRY_AFTER_MS = 15 * 60_000;

export interface ResponseLimits {
  deadlineMs: number;
  maxBytes: number;
}

function retryAfterOf({ headers }: FetchedResponse): number | null {
  const ms = retryAfterMs(headers["retry-after"], Date.now());
  return ms !== null ? Math.min(Math.max(ms, 1000), MAX_WAIT_MS) : null;
}

/** A readable excerpt of an unexpected response. */
function excerpt(body: Buffer): string {
  const text = body
    .toString("utf8")
    .replace(/<[^>]*>/g, " ")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return text === "" ? "" : `: ${text.slice(0, 200)}`;
}

/** Requests JSON from a search. Throws SourceFailed or the abort reason of `signal`. */
export async function requestJson(
  url: URL,
  { guard, signal }: Pick<SourceQuery, "guard" | "signal">,
  headers: Record<string, string>,
  { deadlineMs, maxBytes }: ResponseLimits,
): Promise<unknown> {
  let response: FetchedResponse;
  try {
    const options = { method: "GET", headers: { accept: "application/json", ...headers } } as const;
    response = await fetchGuarded(url, { ...options, deadlineMs, maxBytes, signal, ...guard });
  } catch (error) {
    if (signal.aborted) throw error;
    const failure = failureOf(error);
    throw new SourceFailed(failure.ok ? "the request failed" : failure.reason);
  }
  const { status, body } = response;
  if (status === 429 || status === 503) {
    const wait = retryAfterOf(response) ?? (status === 429 ? DEFAULT_RETRY_AFTER_MS : null);
    throw new SourceFailed(status === 429 ? "too many requests" : `HTTP status 503${excerpt(body)}`, wait);
  }
  if (status !== 200) throw new SourceFailed(`HTTP status ${status}${excerpt(body)}`);
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new SourceFailed(`the response is not JSON${excerpt(body)}`);
  }
}
