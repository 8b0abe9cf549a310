import { randomBytes } from "node:crypto";
import type { Resolver } from "node:dns/promises";
import { codeOf, dnsFailure, newResolver } from "@/lib/network/name-servers";
import { commonNames } from "@/lib/subdomains/sources/common-names";
import { type FoundName, type Source, SourceFailed } from "@/lib/subdomains/sources/source";

/** Concurrent queries. */
const CONCURRENCY = 25;
/** Error codes that mean that nothing exists, rather than a failed query. */
const NOTHING = new Set(["ENOTFOUND", "ENODATA"]);

/** The addresses of a name, IPv4 first; empty if it has none. Throws the DNS error if the query failed. */
async function addressesOf(resolver: Resolver, name: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  if (addresses.length > 0) return addresses;
  const failures = answers.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  const failure = failures.find((each) => !NOTHING.has(codeOf(each)));
  if (failure !== undefined) throw failure;
  return [];
}

/** Queries name servers for known names and for common names. */
export function dns(makeResolver: () => Resolver = newResolver): Source {
  return async function* ({ domain, known, signal }) {
    const resolver = makeResolver();
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      yield* search(resolver, domain, known, signal);
    } finally {
      // The signal lasts as long as the worker.
      signal.removeEventListener("abort", cancel);
    }
  };
}

async function* search(
  resolver: Resolver,
  domain: string,
  known: readonly string[],
  signal: AbortSignal,
): ReturnType<Source> {
  // If a random name resolves, every name does; common names with the same addresses then prove nothing.
  const anything = `sealwatch-${randomBytes(8).toString("hex")}.${domain}`;
  const forAll = await addressesOf(resolver, anything).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new SourceFailed(dnsFailure(error));
  });
  const catchAll = new Set(forAll);
  const isKnown = new Set(known);
  const guesses = [domain, ...commonNames.map((label) => `${label}.${domain}`)].filter((name) => !isKnown.has(name));
  const names = [...known, ...guesses];
  let [unanswered, reason]: [number, unknown] = [0, null];
  for (let at = 0; at < names.length && !signal.aborted; at += CONCURRENCY) {
    const part = names.slice(at, at + CONCURRENCY);
    const answers = await Promise.allSettled(part.map((name) => addressesOf(resolver, name)));
    if (signal.aborted) break;
    const found = answers.flatMap((answer, index): FoundName[] => {
      const name = part[index] ?? "";
      if (answer.status === "rejected") {
        unanswered++;
        reason = answer.reason;
        return [];
      }
      const addresses = answer.value.sort();
      const isGuess = name !== domain && !isKnown.has(name);
      const isCaught = addresses.length > 0 && addresses.every((address) => catchAll.has(address));
      if (isGuess && (addresses.length === 0 || isCaught)) return [];
      if (name === domain && addresses.length === 0 && !isKnown.has(name)) return [];
      return [{ name, notAfter: null, addresses }];
    });
    yield { names: found, issuances: [], place: null };
  }
  signal.throwIfAborted();
  if (unanswered > 0) {
    throw new SourceFailed(`${unanswered} of ${names.length} queries failed: ${dnsFailure(reason)}`);
  }
}
