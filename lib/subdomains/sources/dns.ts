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
  // If a random name resolves, every name does; common names with the same addresses then prove nothing.
  const anything = `sealwatch-${randomBytes(8).toString("hex")}.${domain}`;
  const forAll = await addressesOf(resolver, anything).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new SourceFailed(dnsFailure(error));
  });
  const catchAll = new Set(forAll);
  const isKnown = new Set(known);
  const guesses = [domain, ...commonNames.map((label) => `${label}.${domain}`)];
  const all = [...new Set([...known, ...guesses])].sort();
  const names = all.filter((name) => name > progress.asked);
  let { unanswered } = progress;
  let reason: unknown = null;
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
    const isLast = at + CONCURRENCY >= names.length;
    const place = isLast ? null : toPlace({ asked: part.at(-1) ?? "", unanswered });
    yield { names: found, issuances: [], place };
  }
  signal.throwIfAborted();
  if (unanswered > 0) {
    const why = reason === null ? "" : `: ${dnsFailure(reason)}`;
    throw new SourceFailed(`${unanswered} of ${all.length} queries failed${why}`);
  }
}
