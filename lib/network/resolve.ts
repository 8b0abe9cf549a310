import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { isForbidden } from "@/lib/network/guard";
import { codeOf } from "@/lib/network/name-servers";
import type { Network } from "@/lib/networks";

/**
 * Resolves a name to addresses. Rejects with a Node DNS error (`code` ENOTFOUND, ENODATA, ETIMEOUT, ESERVFAIL, …). Names known only to
 * this machine resolve only to public addresses or into `allowedNetworks`. With `family`, only its addresses are looked up.
 */
export type Resolve = (host: string, allowedNetworks?: readonly Network[], family?: Family) => Promise<string[]>;

/** A version of IP. */
export type Family = 4 | 6;

/** How long to wait for the other address family after the first has answered, in milliseconds: some name servers silently drop one. */
const OTHER_FAMILY_TIMEOUT_MS = 500;
/** DNS errors after which the machine's own names (hosts file, search domains) are tried. */
const UNKNOWN_TO_DNS = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);

/** Names that must not be looked up in DNS (RFC 6761). */
const LOCAL = /(^|\.)localhost$/;

const resolver = new Resolver({ timeout: 1_500, tries: 2 });

/** Resolves a name with the machine's own configuration. */
async function ask(host: string, family: Family | undefined): Promise<string[]> {
  return (await lookup(host, { all: true, family: family ?? 0 })).map(({ address }) => address);
}

function queriesFor(host: string, family: Family | undefined): Promise<string[]>[] {
  return [...(family === 6 ? [] : [resolver.resolve4(host)]), ...(family === 4 ? [] : [resolver.resolve6(host)])];
}

/**
 * The addresses of a name, IPv4 first; an address resolves to itself. Queries DNS directly, because `lookup` blocks one of the
 * process's few threads until a slow name server times out, so that one organization's dead names would delay all others.
 */
export const resolveHost: Resolve = async (host, allowedNetworks = [], family) => {
  if (isIP(host) !== 0) return [host];
  if (LOCAL.test(host)) return ask(host, family);
  const answers: string[][] = [[], []];
  const queries = queriesFor(host, family).map(async (query, at) => {
    answers[at] = await query;
  });
  const all = Promise.allSettled(queries);
  const answered = await Promise.any(queries).then(
    () => true,
    () => false,
  );
  if (answered) {
    await Promise.race([all, delay(OTHER_FAMILY_TIMEOUT_MS, undefined, { ref: false })]);
    return answers.flat();
  }
  const failures = (await all).flatMap((query) => (query.status === "rejected" ? [query.reason] : []));
  const failure = failures.find((each) => !UNKNOWN_TO_DNS.has(codeOf(each)));
  if (failure !== undefined) throw failure;
  // A forbidden address from the hosts file is treated like a missing name, so that nobody can list this machine's names.
  const own = (await ask(host, family).catch(() => [])).filter((address) => !isForbidden(address, allowedNetworks));
  if (own.length === 0) throw failures[0];
  return own;
};
