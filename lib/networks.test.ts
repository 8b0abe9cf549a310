import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, test } from "vitest";
import { formatNetwork, inNetworks, parseNetwork } from "@/lib/networks";

describe("networks", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["192.0.2.7/32", "192.0.2.7"],
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["2001:db8::/32", "2001:db8::/32"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:10.0.0.0/104", "10.0.0.0/8"],
  ])("%s is normalized to %s", (text, canonical) => {
    expect(formatNetwork(parseNetwork(text))).toBe(canonical);
  });

  test.each(["", "10.1", "0x7f000001", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "::/129", "fe80::1%eth0", "host"])(
    "%j is refused",
    (text) => {
      expect(() => parseNetwork(text)).toThrow("is neither");
    },
  );

  test("bits set after the prefix are refused, and the message suggests the network", () => {
    expect(() => parseNetwork("2001:db8::1/32")).toThrow("use 2001:db8::/32 instead");
  });

  test("an IPv4-mapped address matches as IPv4, and invalid text never matches", () => {
    const networks = ["10.0.0.0/8", "2001:db8::/32"].map(parseNetwork);
    expect(inNetworks("::ffff:10.1.2.3", networks)).toBe(true);
    expect(inNetworks("2001:db8::9", networks)).toBe(true);
    expect(inNetworks("11.0.0.1", networks)).toBe(false);
    expect(inNetworks("", networks)).toBe(false);
  });

  /** Addresses as numbers: CIDR matching without a library. */
  const kinds = { ipv4: 32, ipv6: 128 } as const;
  function text(kind: keyof typeof kinds, value: bigint): string {
    const bytes = Array.from({ length: kinds[kind] / 8 }, (_, index) => {
      return Number((value >> BigInt(kinds[kind] - 8 * (index + 1))) & 0xffn);
    });
    return ipaddr.fromByteArray(bytes).toString();
  }
  const anyNetwork = fc.constantFrom<keyof typeof kinds>("ipv4", "ipv6").chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      base: fc.bigInt({ min: 0n, max: (1n << BigInt(kinds[kind])) - 1n }),
      prefix: fc.integer({ min: 0, max: kinds[kind] }),
      other: fc.bigInt({ min: 0n, max: (1n << BigInt(kinds[kind])) - 1n }),
      near: fc.integer({ min: 0, max: kinds[kind] - 1 }),
    }),
  );
  // Addresses under ::ffff:0:0/96 are IPv4 and normalized as such.
  const isMapped = (kind: string, value: bigint) => kind === "ipv6" && value >> 32n === 0xffffn;

  test("contain exactly the addresses with their prefix", () => {
    fc.assert(
      fc.property(anyNetwork, ({ kind, base, prefix, other, near }) => {
        const free = BigInt(kinds[kind] - prefix);
        const network = (base >> free) << free;
        fc.pre(!isMapped(kind, network));
        const networks = [parseNetwork(`${text(kind, network)}/${prefix}`)];
        for (const address of [base, other, base ^ (1n << BigInt(near)), network, network + (1n << free) - 1n]) {
          if (isMapped(kind, address)) continue;
          expect(inNetworks(text(kind, address), networks)).toBe(address >> free === network >> free);
        }
      }),
    );
  });

  test("are refused with bits set after the prefix, and accepted otherwise", () => {
    fc.assert(
      fc.property(anyNetwork, ({ kind, base, prefix }) => {
        fc.pre(!isMapped(kind, base));
        const free = BigInt(kinds[kind] - prefix);
        const network = (base >> free) << free;
        const entry = `${text(kind, base)}/${prefix}`;
        if (network !== base) {
          expect(() => parseNetwork(entry)).toThrow(`use ${text(kind, network)}/${prefix} instead`);
        } else {
          const kept = formatNetwork(parseNetwork(entry));
          expect(kept).toBe(prefix === kinds[kind] ? text(kind, base) : entry);
          expect(formatNetwork(parseNetwork(kept))).toBe(kept);
        }
      }),
    );
  });

  test("of one IP version contain no address of the other", () => {
    expect(inNetworks("2001:db8::1", [parseNetwork("0.0.0.0/0")])).toBe(false);
    expect(inNetworks("192.0.2.7", [parseNetwork("::/0")])).toBe(false);
    expect(inNetworks("192.0.2.7", [parseNetwork("::ffff:0.0.0.0/96")])).toBe(true);
    expect(inNetworks("192.0.2.7", [])).toBe(false);
  });
});
