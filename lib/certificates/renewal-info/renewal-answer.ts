import * as z from "zod";
import type { RenewalWindow } from "@/lib/certificates/issuance/renewal-window";
import { retryAfterMs } from "@/lib/network/retry-after";
import { visible } from "@/lib/text/visible";
import { MINUTE_MS } from "@/lib/time/units";

/** The renewal information of a certificate (RFC 9773, 4.2). */
export interface RenewalAnswer {
  window: RenewalWindow;
  /** A page for people about the reason for the window. */
  explanationUrl: string | null;
}

const MAX_URL_LENGTH = 500;
/** Bounds of `Retry-After` in milliseconds (RFC 9773, 4.3.2). */
const SHORTEST_WAIT_MS = MINUTE_MS;
const LONGEST_WAIT_MS = 24 * 60 * MINUTE_MS;
/** After an answer without `Retry-After` and after lasting errors (RFC 9773, 4.3.3). */
export const USUAL_WAIT_MS = 6 * 60 * MINUTE_MS;

/** Bounds of the times that the database can store, with room for time zones. */
const [EARLIEST, LATEST] = [new Date("1970-01-01"), new Date("9000-01-01")];

const timestamp = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const answer = z.object({
  suggestedWindow: z
    .object({ start: timestamp, end: timestamp })
    .refine(({ start, end }) => start < end && start > EARLIEST && end < LATEST, "a window must end after it starts"),
  explanationURL: z.string().optional().catch(undefined),
});
const directory = z.object({ renewalInfo: z.string().max(MAX_URL_LENGTH).optional() });

/** A link that is safe to show; links with other schemes are dropped. */
function toLink(text: string | undefined): string | null {
  if (text === undefined || text.length > MAX_URL_LENGTH || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? visible(href) : null;
}

/** Parses a response. Throws if it is malformed. */
export function readRenewalAnswer(body: Buffer): RenewalAnswer {
  const { suggestedWindow, explanationURL } = answer.parse(JSON.parse(body.toString("utf8")));
  return { window: suggestedWindow, explanationUrl: toLink(explanationURL) };
}

/** The URL of renewal information in a directory; null if it offers none. Throws for a malformed directory. */
export function readDirectory(body: Buffer): string | null {
  return directory.parse(JSON.parse(body.toString("utf8"))).renewalInfo ?? null;
}

/** Milliseconds until the next request by `Retry-After` (seconds or an HTTP date), within bounds. */
export function waitAfter(header: string | undefined, now: Date): number {
  const ms = retryAfterMs(header, now.getTime()) ?? USUAL_WAIT_MS;
  return Math.min(Math.max(ms, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
}

/** Milliseconds until the next request after the given number of failures in a row: 1, 2, 4, … minutes, up to six hours. */
export function waitAfterFailures(failures: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.min(failures - 1, 20), USUAL_WAIT_MS);
}
