import type { Entry } from "@/lib/audit-logs/write/append";
import type { FoundKey } from "@/lib/auth/find-key";
import type { Action } from "@/lib/http/actions";
import { newIdAt } from "@/lib/ids";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";
import { type Ask, notFound, type Origin, type Outcome, request, wrongCursor } from "@/server/demo/requests";

/** The share of requests that fail although everything works. */
const RARE = 0.008;

/** A program that calls the API regularly. */
export interface Client {
  key: FoundKey;
  origin: Origin;
  /** Requests per hour: at night and at weekends, and in the middle of a working day. */
  quiet: number;
  busy: number;
  asks: readonly [ask: Ask, weight: number][];
}

/** The requests of a client from `from` to `to`, in order. `outcome` returns how a request ended; null is the usual outcome. */
export function* traffic(
  client: Client,
  from: number,
  to: number,
  next: () => number,
  outcome: (at: number) => Outcome | null = () => null,
): Generator<Entry> {
  // The gaps of a Poisson process whose rate follows the hour of the week.
  for (let at = from; ; ) {
    at += (-Math.log(1 - next()) * HOUR_MS) / rateAt(client, at);
    if (at >= to) return;
    const ask = pick(client.asks, next);
    const isRare = next() < RARE;
    const special = outcome(at);
    const [asked, ended] = special !== null || !isRare ? [ask, special ?? {}] : failing(ask, at, next);
    yield request(Math.floor(at), client.key, client.origin, asked, ended, next);
  }
}

/** How a request fails now and then: what a list had named is gone, or its next page is asked for with other filters. */
function failing(ask: Ask, at: number, next: () => number): [ask: Ask, outcome: Outcome] {
  if (ask.action === "certificate.list") return [{ action: "certificate.get", id: newIdAt(at - DAY_MS) }, notFound];
  const position = Buffer.from(`["${Math.floor(next() * 1e12)}"]`).toString("base64url");
  return [{ ...ask, query: [ask.query, `cursor=${position}`].filter(Boolean).join("&") }, wrongCursor];
}

function rateAt({ quiet, busy }: Client, at: number): number {
  const day = new Date(at).getUTCDay();
  const hour = (at % DAY_MS) / HOUR_MS;
  const isWeekend = day === 0 || day === 6;
  return isWeekend ? quiet : quiet + (busy - quiet) * Math.exp(-(((hour - 13) / 4) ** 2));
}

function pick(asks: Client["asks"], next: () => number): Ask {
  let rest = next() * asks.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [ask, weight] of asks) {
    rest -= weight;
    if (rest < 0) return ask;
  }
  throw new Error("a client has no requests");
}

/** The requests of nearly every client: it reads certificates and endpoints. */
export const reads: Client["asks"] = [
  [{ action: "certificate.list", query: "limit=200" }, 5],
  [{ action: "certificate_endpoint.list", query: "limit=200" }, 4],
];

/** The usual reads, and one more kind of request. */
export function readsAnd(action: Action, weight: number, query?: string): Client["asks"] {
  return [...reads, [{ action, ...(query !== undefined && { query }) }, weight]];
}
