import { FORBIDDEN_ADDRESS, failureWords } from "@/lib/network/failure-words";
import { type FetchedResponse, fetchGuarded } from "@/lib/network/http";
import { retryAfterMs } from "@/lib/network/retry-after";
import { type Circumstances, failed, type Sent } from "@/lib/notification-channels/providers/provider";

const DEADLINE_MS = 10_000;
/** What is read of an answer: its status counts, however long it is. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** The longest wait that a provider may request. */
const MAX_WAIT_MS = 3_600_000;
/** Temporary client errors; the others mean that the channel is misconfigured. */
const PASSING = new Set([408, 425, 429]);

/** The network error in words, without the URL, which may be a secret. */
export function failureOf(error: unknown): Sent {
  const words = failureWords(error);
  return failed(words, words === FORBIDDEN_ADDRESS);
}

function retryAfterOf({ headers, body }: FetchedResponse): number | null {
  const fromHeader = retryAfterMs(headers["retry-after"], Date.now());
  if (fromHeader !== null && fromHeader > 0) return Math.min(fromHeader, MAX_WAIT_MS);
  // Telegram puts it into the body.
  const inBody = Number(/"retry_after"\s*:\s*([\d.]+)/.exec(body.toString("utf8"))?.[1]);
  return Number.isFinite(inBody) ? Math.min(inBody * 1000, MAX_WAIT_MS) : null;
}

/** Interprets an HTTP response: 2xx is success, redirects are not followed, permanent client errors are final. */
function toSent(answer: FetchedResponse): Sent {
  const { status, body } = answer;
  if (status >= 200 && status < 300) return { ok: true };
  const said = body
    .toString("utf8")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, 200);
  const reason = `HTTP status ${status}${said === "" ? "" : `: ${said}`}`;
  return failed(reason, status < 500 && !PASSING.has(status), retryAfterOf(answer));
}

/** Posts JSON to a permitted address. Never rejects. */
export async function post(
  url: string,
  body: string,
  { guard }: Pick<Circumstances, "guard">,
  headers: Record<string, string> = {},
): Promise<Sent> {
  try {
    const answer = await fetchGuarded(new URL(url), {
      method: "POST",
      headers: { "content-type": "application/json; charset=utf-8", ...headers },
      body,
      deadlineMs: DEADLINE_MS,
      maxBytes: MAX_ANSWER_BYTES,
      isCut: true,
      ...guard,
    });
    return toSent(answer);
  } catch (error) {
    return failureOf(error);
  }
}
