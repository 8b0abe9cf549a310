import type { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { isForbidden } from "@/lib/network/guard";
import { refuseForbiddenAddress } from "@/lib/network/guarded-lookup";
import { codeOf, dnsFailure, newResolver, readCaaRecord } from "@/lib/network/name-servers";
import { reversedAddress } from "@/lib/network/names/reverse-name";
import { CheckFailure, microsecondsSince, type ProbeOptions, type Seen } from "@/lib/uptime/checks/outcome";
import { type DnsSettings, isExpectedAnswer, parseLookup, parseResolver } from "@/lib/uptime/dns";
import type { RecordType } from "@/lib/uptime/record-types";

const TRIES = 2;
/** Answers that are kept and compared. */
const MAX_ANSWERS = 100;

/** What one check asks. */
interface Question {
  target: string;
  dns: DnsSettings;
  timeoutSeconds: number;
}

function resolverFor({ dns, timeoutSeconds }: Question, { allowedNetworks }: ProbeOptions, seen: Seen): Resolver {
  const resolver = newResolver(Math.ceil((timeoutSeconds * 1000) / TRIES), TRIES);
  if (dns.resolver === null) return resolver;
  const { host, port } = parseResolver(dns.resolver);
  refuseForbiddenAddress(host, { allowedNetworks });
  resolver.setServers([isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`]);
  seen.address = host;
  return resolver;
}

/** The answers as `dig +short` writes them, without quotation marks, and without final dots but that of the root. */
async function ask(resolver: Resolver, name: string, type: RecordType): Promise<string[]> {
  switch (type) {
    case "A":
      return resolver.resolve4(name);
    case "AAAA":
      return resolver.resolve6(name);
    case "CAA":
      return (await resolver.resolveCaa(name))
        .map(readCaaRecord)
        .map(({ flags, tag, value }) => `${flags} ${tag} ${value}`);
    case "CNAME":
      return resolver.resolveCname(name);
    case "MX":
      return (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange || "."}`);
    case "NS":
      return resolver.resolveNs(name);
    case "PTR":
      return isIP(name) === 0 ? resolver.resolvePtr(name) : resolver.reverse(name);
    case "SOA": {
      const soa = await resolver.resolveSoa(name);
      return [[soa.nsname, soa.hostmaster, soa.serial, soa.refresh, soa.retry, soa.expire, soa.minttl].join(" ")];
    }
    case "SRV":
      return (await resolver.resolveSrv(name)).map(({ priority, weight, port, name: host }) => {
        return `${priority} ${weight} ${port} ${host || "."}`;
      });
    case "TXT":
      return (await resolver.resolveTxt(name)).map((chunks) => chunks.join(""));
  }
}

/**
 * Throws CheckFailure, without the answers, if they or the question are about a forbidden address: this installation's own
 * name servers may know internal names that members may not.
 */
function requirePermitted(addresses: readonly string[], { dns }: Question, { allowedNetworks }: ProbeOptions): void {
  if (dns.resolver !== null) return;
  if (addresses.some((address) => isForbidden(address, allowedNetworks))) throw new CheckFailure("forbidden_address");
}

/** The address whose name is asked for; null if another record is. */
function askedAddress(name: string, type: RecordType): string | null {
  if (type !== "PTR") return null;
  return isIP(name) === 0 ? reversedAddress(name) : name;
}

/** Looks a name up. Throws CheckFailure with the answers in `seen` as evidence, or the resolver's error if `signal` aborts. */
export async function probeDns(
  question: Question,
  options: ProbeOptions,
  seen: Seen,
  signal: AbortSignal,
): Promise<void> {
  const { target, dns } = question;
  const resolver = resolverFor(question, options, seen);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  const start = performance.now();
  try {
    const { record_type: type } = dns;
    const name = parseLookup(target, type);
    const address = askedAddress(name, type);
    if (address !== null) requirePermitted([address], question, options);
    const answers = await ask(resolver, name, type);
    seen.dnsUs = microsecondsSince(start);
    if (type === "A" || type === "AAAA") requirePermitted(answers, question, options);
    seen.response = { headers: {}, body: Buffer.from(answers.slice(0, MAX_ANSWERS).join("\n")) };
    if (dns.expect_nxdomain) throw new CheckFailure("unexpected_answer", "the name exists");
    if (!isExpectedAnswer(answers.slice(0, MAX_ANSWERS), dns)) {
      throw new CheckFailure("unexpected_answer", answers.join(", "));
    }
  } catch (error) {
    if (error instanceof CheckFailure || signal.aborted) throw error;
    seen.dnsUs = microsecondsSince(start);
    const code = codeOf(error);
    if (dns.expect_nxdomain && code === "ENOTFOUND") return;
    if (dns.expect_nxdomain && code === "ENODATA") throw new CheckFailure("unexpected_answer", "the name exists");
    throw new CheckFailure(code === "ETIMEOUT" ? "timeout" : "dns_failure", dnsFailure(error));
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
