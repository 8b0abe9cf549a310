import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isForbidden } from "@/lib/network/guard";
import { parseNetwork } from "@/lib/networks";

const forbidden = [
  ["unspecified", "0.0.0.0"],
  ["this network", "0.1.2.3"],
  ["loopback", "127.0.0.1"],
  ["loopback, another", "127.255.255.254"],
  ["private 10/8", "10.0.0.1"],
  ["private 172.16/12", "172.31.255.255"],
  ["private 192.168/16", "192.168.1.1"],
  ["carrier-grade NAT", "100.64.0.1"],
  ["metadata behind carrier-grade NAT", "100.100.100.200"],
  ["link-local", "169.254.0.1"],
  ["metadata", "169.254.169.254"],
  ["metadata of Azure", "168.63.129.16"],
  ["metadata of Oracle", "192.0.0.192"],
  ["documentation", "192.0.2.1"],
  ["benchmarking", "198.18.0.1"],
  ["multicast", "224.0.0.1"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["IPv6 unspecified", "::"],
  ["IPv6 loopback", "::1"],
  ["IPv6 link-local", "fe80::1"],
  ["IPv6 link-local with zone", "fe80::1%eth0"],
  ["IPv6 public with zone", "2606:4700::1111%eth0"],
  ["IPv6 site-local", "fec0::1"],
  ["IPv6 unique-local", "fd00::1"],
  ["IPv6 metadata", "fd00:ec2::254"],
  ["IPv6 multicast", "ff02::1"],
  ["IPv6 documentation", "2001:db8::1"],
  ["IPv6 documentation, newer", "3fff::1"],
  ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
  ["IPv4-compatible", "::127.0.0.1"],
  ["IPv4-compatible public", "::8.8.8.8"],
  ["IPv4-mapped loopback", "::ffff:127.0.0.1"],
  ["IPv4-mapped loopback in hex", "::ffff:7f00:1"],
  ["IPv4-mapped private", "::ffff:10.0.0.1"],
  ["IPv4-translated", "::ffff:0:127.0.0.1"],
  ["NAT64 loopback", "64:ff9b::127.0.0.1"],
  ["NAT64 metadata", "64:ff9b::169.254.169.254"],
  ["local NAT64", "64:ff9b:1::8.8.8.8"],
  ["6to4 private", "2002:0a00:0001::1"],
  ["discard", "100::1"],
  ["segment routing", "5f00::1"],
  ["nothing", ""],
  ["a name", "localhost"],
  ["a short form", "127.1"],
  ["a hexadecimal form", "0x7f000001"],
  ["a number", "2130706433"],
] as const;

const permitted = [
  "8.8.8.8",
  "1.1.1.1",
  "2606:4700:4700::1111",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8",
  "2002:808:808::1",
];

describe("isForbidden", () => {
  test.each(forbidden)("refuses %s: %s", (_what, address) => {
    expect(isForbidden(address, [])).toBe(true);
  });

  test.each(permitted)("permits %s", (address) => {
    expect(isForbidden(address, [])).toBe(false);
  });

  test("allows exactly the configured networks, in every form of an address", () => {
    const allowed = [parseNetwork("10.1.0.0/16"), parseNetwork("fd00:1::/32")];
    expect(isForbidden("10.1.2.3", allowed)).toBe(false);
    expect(isForbidden("::ffff:10.1.2.3", allowed)).toBe(false);
    expect(isForbidden("64:ff9b::10.1.2.3", allowed)).toBe(false);
    expect(isForbidden("fd00:1::5", allowed)).toBe(false);
    expect(isForbidden("10.2.0.1", allowed)).toBe(true);
    expect(isForbidden("fd00:2::5", allowed)).toBe(true);
    expect(isForbidden("169.254.169.254", allowed)).toBe(true);
    expect(isForbidden("fe80::1%eth0", [parseNetwork("fe80::/10")])).toBe(true);
  });

  test("an IPv6 address that leads to an IPv4 address is treated like that address", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
        const high = ((a << 8) | b).toString(16);
        const low = ((c << 8) | d).toString(16);
        const verdict = isForbidden(address, []);
        for (const form of [`::ffff:${high}:${low}`, `64:ff9b::${high}:${low}`, `2002:${high}:${low}::1`]) {
          expect(isForbidden(form, [])).toBe(verdict);
        }
      }),
    );
  });

  test("no private address is allowed, and no text that is not an address", () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const inside = fc.oneof(
      fc.tuple(fc.constantFrom(10, 127, 0, 224, 239, 240, 255), octet, octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
    );
    fc.assert(fc.property(inside, (octets) => isForbidden(octets.join("."), [])));
    fc.assert(fc.property(fc.domain(), (name) => isForbidden(name, [parseNetwork("0.0.0.0/0"), parseNetwork("::/0")])));
  });
});
