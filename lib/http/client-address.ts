import ipaddr from "ipaddr.js";
import { inNetworks, type Network } from "@/lib/networks";

/** Parses an address from a header or socket: IPv6 may have brackets, both may have a port; IPv4-mapped IPv6 becomes IPv4. */
export function parseAddress(text: string): string | null {
  const entry = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(entry)?.[1];
  const bare = bracketed ?? (/^[\d.]+:\d{1,5}$/.test(entry) ? entry.slice(0, entry.indexOf(":")) : entry);
  // Only the four-part form: ipaddr.js also accepts "127.1", octal and hexadecimal parts, which proxies do not send.
  if (!bare.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return null;
  const withoutZone = bare.replace(/%.*$/, "");
  return ipaddr.isValid(withoutZone) ? ipaddr.process(withoutZone).toString() : null;
}

/**
 * The client's address: the TCP peer's, or, if that peer is a trusted proxy, the rightmost entry of `X-Forwarded-For`
 * that is not a trusted proxy. The search stops at an invalid entry, because entries to its left cannot be trusted.
 * Null if the address is unknown.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trusted: readonly Network[]): string | null {
  let address = parseAddress(peer);
  if (address === null || !inNetworks(address, trusted)) return address;
  for (const entry of (forwardedFor ?? "").split(",").reverse()) {
    if (entry.trim() === "") continue;
    address = parseAddress(entry);
    if (address === null || !inNetworks(address, trusted)) return address;
  }
  return address;
}
