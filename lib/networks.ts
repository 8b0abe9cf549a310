import ipaddr from "ipaddr.js";

/** A CIDR range; a single address has the full prefix. IPv4-mapped IPv6 is stored as IPv4. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // ipaddr.js also accepts "10.1" and "0x7f000001", which are almost certainly mistakes.
  if (!ipaddr.IPv6.isValid(text) && !ipaddr.IPv4.isValidFourPartDecimal(text)) return undefined;
  return text.includes("%") ? undefined : ipaddr.parse(text);
}

/** Parses an address or a CIDR range. Throws an Error whose message is a predicate for a sentence about `text`. */
export function parseNetwork(text: string): Network {
  const [head = "", tail, ...rest] = text.split("/");
  const address = parseAddress(head);
  const bits = address?.kind() === "ipv4" ? 32 : 128;
  const prefix = tail === undefined ? bits : /^\d{1,3}$/.test(tail) ? Number(tail) : Number.NaN;
  if (!address || rest.length > 0 || !(prefix <= bits)) {
    throw new Error("is neither an IPv4 or IPv6 address nor a CIDR range");
  }
  const base = (bits === 32 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(`${address}/${prefix}`);
  if (base.toString() !== address.toString()) {
    throw new Error(`has bits set after its prefix: use ${base}/${prefix} instead`);
  }
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && prefix >= 96) {
    return [address.toIPv4Address(), prefix - 96];
  }
  return [address, prefix];
}

/** The canonical text of a network, without a full prefix. */
export function formatNetwork([address, prefix]: Network): string {
  return prefix === (address.kind() === "ipv4" ? 32 : 128) ? address.toString() : `${address}/${prefix}`;
}

/** Whether any network contains `address`; `::ffff:a.b.c.d` is treated as `a.b.c.d`. False if `address` is invalid. */
export function inNetworks(address: string, networks: readonly Network[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const candidate = ipaddr.process(address);
  return networks.some(([base, prefix]) => candidate.kind() === base.kind() && candidate.match(base, prefix));
}
