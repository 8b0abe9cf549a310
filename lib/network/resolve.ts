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

/**
 * How long to wait for the addresses of one version of IP after those of the other came, in milliseconds: some name servers silently drop
 * one. For IPv4 a lost query may be repeated, because many machines have no route to IPv6.
 */
const WAIT_MS: Record<Family, number> = { 4: 2_000, 6: 500 };
/** DNS errors after which the machine's own names (hosts file, search domains) are tried. */
const UNKNOWN_TO_DNS = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);

/** Names that must not be looked up in DNS (RFC 6761). */
const LOCAL = /(^|\.)localhost$/;

const resolver = new Resolver({ timeout: 1_500, tries: 2 });

/** Resolves a name with the machine's own configuration. */
async function ask(host: string, family: Family | undefined): Promise<string[]> {
  return (await lookup(host, { all: true, family: family ?? 0 })).map(({ address }) => address);
}

interface Query {
  family: Family;
  addresses: Promise<string[]>;
}

function queriesFor(host: string, family: Family | undefined): Query[] {
  return [
    ...(family === 6 ? [] : [{ family: 4 as const, addresses: resolver.resolve4(host) }]),
    ...(family === 4 ? [] : [{ family: 6 as const, addresses: resolver.resolve6(host) }]),
  ];
}

/** The addresses of all queries, in their order, without those that come too late after the first. Null if all queries failed. */
export async function firstAnswers(queries: readonly Query[], waitMs = WAIT_MS): Promise<string[] | null> {
  const answers = new Map<Family, string[]>();
  const asked = queries.map(async ({ family, addresses }) => {
    answers.set(family, await addresses);
  });
  const isAnswered = await Promise.any(asked).then(
    () => true,
    () => false,
  );
  if (!isAnswered) return null;
  const missing = queries.find(({ family }) => !answers.has(family));
  if (missing !== undefined) {
    await Promise.race([Promise.allSettled(asked), delay(waitMs[missing.family], undefined, { ref: false })]);
  }
  return queries.flatMap(({ family }) => answers.get(family) ?? []);
}

/**
 * The addresses of a name, IPv4 first; an address resolves to itself. Queries DNS directly, because `lookup` blocks one of the
 * process's few threads until a slow name server times out, so that one organization's dead names would delay all others.
 */
export const resolveHost: Resolve = async (host, allowedNetworks = [], family) => {
  if (isIP(host) !== 0) return [host];
  if (LOCAL.test(host)) return ask(host, family);
  const queries = queriesFor(host, family);
  const answers = await firstAnswers(queries);
  if (answers !== null) return answers;
  const all = await Promise.allSettled(queries.map(({ addresses }) => addresses));
  const failures = all.flatMap((query) => (query.status === "rejected" ? [query.reason] : []));
  const failure = failures.find((each) => !UNKNOWN_TO_DNS.has(codeOf(each)));
  if (failure !== undefined) throw failure;
  // A forbidden address from the hosts file is treated like a missing name, so that nobody can list this machine's names.
  const own = (await ask(host, family).catch(() => [])).filter((address) => !isForbidden(address, allowedNetworks));
  if (own.length === 0) throw failures[0];
  return own;
};
