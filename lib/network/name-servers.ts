import type { CaaRecord } from "node:dns";
import { Resolver } from "node:dns/promises";
import { config } from "@/lib/config";

/** A resolver with this installation's name servers (DNS_SERVERS), or the system's. */
export function newResolver(timeoutMs = 2_000, tries = 2): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  const { DNS_SERVERS } = config();
  if (DNS_SERVERS.length > 0) resolver.setServers(DNS_SERVERS);
  return resolver;
}

/** A record of `resolveCaa`, which names the value after the tag, and from Node.js 24 also says `type: "CAA"`. */
export function readCaaRecord({ critical, ...rest }: CaaRecord): { flags: number; tag: string; value: string } {
  const [tag, value] = Object.entries(rest).find(([name]) => name !== "type") ?? ["", ""];
  return { flags: critical, tag, value: String(value) };
}

const MESSAGES: Record<string, string> = {
  ENOTFOUND: "the name does not exist",
  ENODATA: "the name has no such record",
  ETIMEOUT: "the name servers did not answer in time",
  // Of a resolver that was told to give up.
  ECANCELLED: "the name servers did not answer in time",
  ECONNREFUSED: "the name servers could not be reached",
  ESERVFAIL: "the name servers failed to look it up",
  EREFUSED: "the name servers refused the query",
};

export function codeOf(failure: unknown): string {
  return String((failure as { code?: unknown } | null)?.code);
}

/** A DNS error in words. */
export function dnsFailure(failure: unknown): string {
  return MESSAGES[codeOf(failure)] ?? `the name servers failed (${codeOf(failure)})`;
}
