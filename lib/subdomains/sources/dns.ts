import type { Resolver } from "node:dns/promises";
import { codeOf, dnsFailure, newResolver } from "@/lib/network/name-servers";
import { commonNames } from "@/lib/subdomains/sources/common-names";
import { type Source, SourceFailed } from "@/lib/subdomains/sources/source";
import { type Resolved, Wildcard } from "@/lib/subdomains/sources/wildcard";

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

/** What a run has asked already: the names up to one, in their order, of which some were not answered. */
interface Progress {
  asked: string;
  unanswered: number;
}

/** Such as `mail.example.com`, or `mail.example.com 2`. */
const toPlace = ({ asked, unanswered }: Progress) => (unanswered === 0 ? asked : `${asked} ${unanswered}`);

function fromPlace(place: string | null): Progress {
  const [asked = "", unanswered = "0"] = (place ?? "").split(" ");
  return { asked, unanswered: Number(unanswered) };
}

/** Queries name servers for known names and for common names, in their order, so that a run can continue from its place. */
export function dns(makeResolver: () => Resolver = newResolver): Source {
  return async function* ({ domain, known, place, signal }) {
    const resolver = makeResolver();
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      yield* search(resolver, domain, known, fromPlace(place), signal);
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
  progress: Progress,
  signal: AbortSignal,
): ReturnType<Source> {
  const ask = (name: string) => addressesOf(resolver, name);
  const wildcard = await Wildcard.find(domain, ask).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new SourceFailed(dnsFailure(error));
  });
  const isKnown = new Set(known);
  const guesses = [domain, ...commonNames.map((label) => `${label}.${domain}`)];
  const all = [...new Set([...known, ...guesses])].sort();
  const left = all.filter((name) => name > progress.asked);
  const isGuess = ({ name }: Resolved) => name !== domain && !isKnown.has(name);
  let { unanswered } = progress;
  let reason: unknown = null;
  for (let at = 0; at < left.length && !signal.aborted; at += CONCURRENCY) {
    const part = left.slice(at, at + CONCURRENCY);
    const resolved: Resolved[] = [];
    const failed: string[] = [];
    const answers = await Promise.allSettled(part.map(ask));
    if (signal.aborted) break;
    for (const [index, answer] of answers.entries()) {
      const name = part[index] ?? "";
      if (answer.status === "fulfilled") {
        resolved.push({ name, addresses: answer.value.sort() });
      } else {
        failed.push(name);
        reason = answer.reason;
      }
    }
    const guessed = await wildcard.existing(resolved.filter((each) => isGuess(each) && each.addresses.length > 0));
    if (signal.aborted) break;
    const found = resolved.filter(
      (each) => isKnown.has(each.name) || (isGuess(each) ? guessed.includes(each) : each.addresses.length > 0),
    );
    unanswered += failed.length;
    const isLast = at + CONCURRENCY >= left.length;
    const place = isLast ? null : toPlace({ asked: part.at(-1) ?? "", unanswered });
    const names = found.map((each) => ({ ...each, notAfter: null }));
    yield { names, unanswered: failed.filter((name) => isKnown.has(name)), issuances: [], place };
  }
  signal.throwIfAborted();
  if (unanswered > 0) {
    const why = reason === null ? "" : `: ${dnsFailure(reason)}`;
    throw new SourceFailed(`${unanswered} of ${all.length} queries failed${why}`);
  }
}
