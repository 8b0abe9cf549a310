import ipaddr from "ipaddr.js";

/** A CIDR range; a single address is one with the full prefix. IPv4-mapped IPv6 is kept as IPv4. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // ipaddr.js also takes "10.1" and "0x7f000001", which nobody means.
  if (!ipaddr.IPv6.isValid(text) && !ipaddr.IPv4.isValidFourPartDecimal(text)) return undefined;
  return text.includes("%") ? undefined : ipaddr.parse(text);
}

/** Reads an address or a CIDR range. Throws an Error whose message is a predicate for a sentence about `text`. */
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
    throw new Error(`has bits set after its prefix: the network meant is ${base}/${prefix}`);
  }
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && prefix >= 96) {
    return [address.toIPv4Address(), prefix - 96];
  }
  return [address, prefix];
}

/** The canonical text of a network; a full prefix is left out. */
export function formatNetwork([address, prefix]: Network): string {
  return prefix === (address.kind() === "ipv4" ? 32 : 128) ? address.toString() : `${address}/${prefix}`;
}

/** Whether any network holds `address`; `::ffff:a.b.c.d` is `a.b.c.d`. False for what is no address. */
export function inNetworks(address: string, networks: readonly Network[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const candidate = ipaddr.process(address);
  return networks.some(([base, prefix]) => candidate.kind() === base.kind() && candidate.match(base, prefix));
}
