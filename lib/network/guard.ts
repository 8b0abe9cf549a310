import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { inNetworks, type Network, parseNetwork } from "@/lib/networks";

type IPv4 = ipaddr.IPv4;
type IPv6 = ipaddr.IPv6;

/** Addresses reachable from all machines of a cloud although they look public: Azure's metadata and DNS host. */
const INFRASTRUCTURE = [parseNetwork("168.63.129.16")];
/** Everything that IANA has allocated as global unicast; addresses outside (site-local, ::a.b.c.d, 64:ff9b:1::/48, …) are refused. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR("2002::/16");

/** The IPv4 address that receives packets to `address`, for forms of IPv6 that contain one for a gateway. */
function carriedIPv4(address: IPv6): IPv4 | null {
  const bytes = address.toByteArray();
  if (address.match(NAT64)) return new ipaddr.IPv4(bytes.slice(12));
  if (address.match(SIX_TO_FOUR)) return new ipaddr.IPv4(bytes.slice(2, 6));
  return null;
}

/**
 * Whether connections to `address` are forbidden: loopback, private, link-local, carrier-grade NAT, metadata, multicast, reserved
 * and all forms of IPv6 that lead there, unless `allowed` contains it. Invalid addresses and those with a zone are forbidden.
 */
export function isForbidden(address: string, allowed: readonly Network[]): boolean {
  if (isIP(address) === 0 || address.includes("%")) return true;
  // `process` converts ::ffff:a.b.c.d to a.b.c.d, to which the kernel connects; but it would also convert ::a.b.c.d.
  const parsed = ipaddr.process(address.replace(/^::(?=\d+\.)/, "0::"));
  if (inNetworks(parsed.toString(), allowed)) return false;
  if (parsed.kind() === "ipv4") return parsed.range() !== "unicast" || inNetworks(parsed.toString(), INFRASTRUCTURE);
  const carried = carriedIPv4(parsed as IPv6);
  if (carried !== null) return isForbidden(carried.toString(), allowed);
  return !(parsed as IPv6).match(GLOBAL_UNICAST) || parsed.range() !== "unicast";
}
