import type { CertificateEndpoint } from "@/lib/certificates/contract";
import type { Subdomain } from "@/lib/subdomains/contract";
import type { Monitor } from "@/lib/uptime/contract";

/** An address at which a host was last seen, and by what. */
interface SeenAddress {
  address: string;
  by: string[];
  /** The newest of the times, RFC 3339. */
  at: string;
}

interface Known {
  endpoints: readonly Pick<CertificateEndpoint, "connection" | "last_checked_at">[];
  monitors: readonly Pick<Monitor, "last_check">[];
  name: Pick<Subdomain, "addresses" | "resolved_at"> | null;
}

/** The addresses of the last checks and of the last DNS lookup of discovery, each once, the newest first. */
export function seenAddresses({ endpoints, monitors, name }: Known): SeenAddress[] {
  const seen = [
    ...endpoints.map(({ connection, last_checked_at: at }) => ({
      address: connection?.address,
      by: "certificate check",
      at,
    })),
    ...monitors.map(({ last_check: check }) => ({
      address: check?.address,
      by: "uptime check",
      at: check?.checked_at,
    })),
    ...(name?.addresses ?? []).map((address) => ({ address, by: "DNS lookup", at: name?.resolved_at })),
  ];
  const found = new Map<string, SeenAddress>();
  for (const { address, by, at } of seen) {
    if (!address || !at) continue;
    const known = found.get(address) ?? { address, by: [], at };
    if (!known.by.includes(by)) known.by.push(by);
    if (at > known.at) known.at = at;
    found.set(address, known);
  }
  return [...found.values()].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.address < b.address ? -1 : 1));
}
