import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { isForbidden } from "@/lib/network/guard";
import type { Network } from "@/lib/networks";

/**
 * Name → addresses. Rejects with a Node DNS error (`code` ENOTFOUND, ENODATA, ETIMEOUT, ESERVFAIL, …). Names that only this machine knows
 * lead to public addresses or into `allowedNetworks`.
 */
export type Resolve = (host: string, allowedNetworks?: readonly Network[]) => Promise<string[]>;

/** How long an answer of one family waits for the other, in milliseconds: one of the two is often silently dropped. */
const OTHER_FAMILY_MS = 500;
/** Answers of DNS after which the machine's own names (hosts file, search domains) are tried. */
const UNKNOWN_TO_DNS = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);

/** Never a question for DNS (RFC 6761). */
const LOCAL = /(^|\.)localhost$/;

const resolver = new Resolver({ timeout: 1_500, tries: 2 });

function codeOf(failure: unknown): string {
  return String((failure as { code?: unknown } | null)?.code);
}

/** Asks the machine itself. */
async function ask(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/**
 * The addresses of a name, IPv4 first; an address is its own answer. Asks DNS directly, because `lookup` holds one of the
 * process's few threads until a slow name server gives up, and so one organization's dead names would stall all others.
 */
export const resolveHost: Resolve = async (host, allowedNetworks = []) => {
  if (isIP(host) !== 0) return [host];
  if (LOCAL.test(host)) return ask(host);
  const answers: string[][] = [[], []];
  const queries = [resolver.resolve4(host), resolver.resolve6(host)].map(async (query, family) => {
    answers[family] = await query;
  });
  const all = Promise.allSettled(queries);
  const answered = await Promise.any(queries).then(
    () => true,
    () => false,
  );
  if (answered) {
    await Promise.race([all, delay(OTHER_FAMILY_MS, undefined, { ref: false })]);
    return answers.flat();
  }
  const failures = (await all).flatMap((query) => (query.status === "rejected" ? [query.reason] : []));
  const grave = failures.find((failure) => !UNKNOWN_TO_DNS.has(codeOf(failure)));
  if (grave !== undefined) throw grave;
  // A name of the hosts file that may not be reached is answered like one that does not exist: nobody can list this machine's names.
  const own = (await ask(host).catch(() => [])).filter((address) => !isForbidden(address, allowedNetworks));
  if (own.length === 0) throw failures[0];
  return own;
};
