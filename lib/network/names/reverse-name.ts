/** Names of the zones in which DNS keeps the names of addresses (RFC 1035, 3.5; RFC 3596, 2.5). */
const IPV4 = /(?:^|\.)((?:\d+\.)*)in-addr\.arpa$/;
const IPV6 = /(?:^|\.)((?:[0-9a-f]\.)*)ip6\.arpa$/;

/** The last `most` labels before a zone, in the order of an address and filled up with zeros. */
function digitsOf(labels: string, most: number): string[] {
  const digits = labels.split(".").filter(Boolean).reverse().slice(0, most);
  return [...digits, ...Array<string>(most - digits.length).fill("0")];
}

/**
 * The address for which a name of the reverse zones stands, or the first one of its network; null for other names. The name
 * is in lower case without the final dot. An IPv4 address may be invalid.
 */
export function reversedAddress(name: string): string | null {
  const [, octets] = IPV4.exec(name) ?? [];
  if (octets !== undefined) return digitsOf(octets, 4).join(".");
  const [, nibbles] = IPV6.exec(name) ?? [];
  if (nibbles === undefined) return null;
  return digitsOf(nibbles, 32)
    .join("")
    .replace(/(.{4})(?=.)/g, "$1:");
}
