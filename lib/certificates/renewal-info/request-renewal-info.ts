import {
  type RenewalAnswer,
  readDirectory,
  readRenewalAnswer,
  USUAL_WAIT_MS,
  waitAfter,
} from "@/lib/certificates/renewal-info/renewal-answer";
import { PublishedFiles, Unpublished } from "@/lib/certificates/revocation/published-files";
import { ForbiddenAddress, type Guard } from "@/lib/network/guarded-lookup";
import { type FetchedResponse, fetchGuarded, ResponseTooLong } from "@/lib/network/http";
import { DAY_MS } from "@/lib/time/units";

/** The result of a request for renewal information. */
export type RenewalInfoResult =
  | { outcome: "answered"; answer: RenewalAnswer; waitMs: number }
  /** `waitMs` is null after errors that may soon be over; the wait then grows with each. */
  | { outcome: "failed"; error: string; waitMs: number | null };

/** The URL of renewal information in each directory; null if it offers none. */
export type Directories = PublishedFiles<string | null>;

const MAX_BYTES = 64 * 1024;
const DEADLINE_MS = 8_000;

/** An empty cache of directories that are fetched under `guard`. */
export function makeDirectories(guard: () => Guard): Directories {
  const later = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS);
  return new PublishedFiles(
    {
      parse: readDirectory,
      isUnsigned: true,
      maxBytes: MAX_BYTES,
      maxKeptBytes: 4 * MAX_BYTES,
      staleAt: (_, at) => later(at, 1),
      goodUntil: (_, at) => later(at, 7),
    },
    guard,
  );
}

const failed = (error: string, waitMs: number | null): RenewalInfoResult => ({ outcome: "failed", error, waitMs });

const DIRECTORY_ERRORS: Record<Unpublished["why"], string> = {
  unsupported_url: "the directory leads to an address that is not http or https",
  forbidden_address: "the directory is in a network that may not be reached",
  fetch_failed: "the directory could not be fetched",
  too_large: "the directory is too large",
  malformed: "the directory is malformed",
};

function directoryError({ why, detail }: Unpublished): string {
  return why === "fetch_failed" && detail !== null ? `${DIRECTORY_ERRORS[why]}: ${detail}` : DIRECTORY_ERRORS[why];
}

/** The address to ask about a certificate; null if it is not http or https, or less protected than the directory. */
function renewalUrl(base: string, certId: string, directory: string): URL | null {
  const text = `${base.replace(/\/+$/, "")}/${certId}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isSafe = url.protocol === "https:" || (url.protocol === "http:" && directory.startsWith("http:"));
  return isSafe ? url : null;
}

function judgeResponse({ status, headers, body }: FetchedResponse, now: Date): RenewalInfoResult {
  const after = headers["retry-after"];
  if (status === 429 || (status === 503 && after !== undefined))
    return failed(`HTTP status ${status}`, waitAfter(after, now));
  if (status >= 500) return failed(`HTTP status ${status}`, null);
  if (status === 404) return failed("the authority does not know this certificate", USUAL_WAIT_MS);
  if (status !== 200) return failed(`HTTP status ${status}`, USUAL_WAIT_MS);
  try {
    return { outcome: "answered", answer: readRenewalAnswer(body), waitMs: waitAfter(after, now) };
  } catch {
    return failed("the answer is malformed", USUAL_WAIT_MS);
  }
}

/** Asks an ACME directory about a certificate (RFC 9773). Failures are part of the result; rejects only if `signal` aborts. */
export async function requestRenewalInfo(
  { directory, certId }: { directory: string; certId: string },
  directories: Directories,
  guard: Guard,
  signal: AbortSignal,
): Promise<RenewalInfoResult> {
  const base = await directories.get(directory, new Date());
  signal.throwIfAborted();
  if (base instanceof Unpublished) return failed(directoryError(base), null);
  if (base === null) return failed("the directory offers no renewal information", USUAL_WAIT_MS);
  const url = renewalUrl(base, certId, directory);
  if (url === null) return failed("the directory is malformed", USUAL_WAIT_MS);
  try {
    const limits = { deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES, signal };
    return judgeResponse(await fetchGuarded(url, { ...guard, method: "GET", ...limits }), new Date());
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ForbiddenAddress)
      return failed("the answers are in a network that may not be reached", USUAL_WAIT_MS);
    if (error instanceof ResponseTooLong) return failed("the answer is too large", USUAL_WAIT_MS);
    return failed(error instanceof Error ? error.message : "no answer", null);
  }
}
