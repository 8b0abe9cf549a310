import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clientAddress, parseAddress } from "@/lib/http/client-address";
import { parseNetwork } from "@/lib/networks";

const PROXIES = ["10.0.0.0/8", "2001:db8:f::/48"].map(parseNetwork);

describe("an address from a socket or header", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    [" 192.0.2.7\t", "192.0.2.7"],
    ["192.0.2.7:4711", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:C000:0207", "192.0.2.7"],
    ["[::ffff:192.0.2.7]:80", "192.0.2.7"],
    ["2001:DB8:0:0:0::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:65535", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["[fe80::1%25eth0]:80", "fe80::1"],
    ["::1", "::1"],
  ])("%j is parsed as %s", (text, address) => {
    expect(parseAddress(text)).toBe(address);
  });

  test.each([
    "",
    " ",
    "unknown",
    "_hidden",
    "localhost",
    "192.0.2",
    "192.0.2.256",
    "192.0.2.07",
    "0xC0000207",
    "3221225991",
    "127.1",
    "192.0.2.7:",
    "192.0.2.7:port",
    "192.0.2.7:123456",
    "192.0.2.7/24",
    "192.0.2.7 10.0.0.1",
    '"192.0.2.7"',
    "[192.0.2.7",
    "2001:db8::1]",
    "[2001:db8::1]x",
    "2001:db8::1::2",
    "2001:db8:12345::",
    "%eth0",
    "for=192.0.2.7",
    "192.0.2.7\nx",
    "192.0.2.7%0",
  ])("%j is not an address", (text) => {
    expect(parseAddress(text)).toBeNull();
  });

  test("is canonical: parsing it again does not change it", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = parseAddress(text);
        expect(address).not.toBeNull();
        expect(parseAddress(address ?? "")).toBe(address);
      }),
    );
  });
});

describe("the client's address", () => {
  test.each<[string, string, string | null, string | null]>([
    ["an untrusted peer without a header", "192.0.2.7", null, "192.0.2.7"],
    ["an untrusted peer with a forged header", "192.0.2.7", "198.51.100.1", "192.0.2.7"],
    ["a trusted proxy without a header", "10.0.0.1", null, "10.0.0.1"],
    ["one proxy", "10.0.0.1", "192.0.2.7", "192.0.2.7"],
    ["several proxies", "10.0.0.1", "192.0.2.7, 10.1.1.1, 10.2.2.2", "192.0.2.7"],
    ["a forged entry left of the client", "10.0.0.1", "198.51.100.1, 192.0.2.7", "192.0.2.7"],
    ["a client that claims to be a proxy", "10.0.0.1", "10.9.9.9, 192.0.2.7, 10.1.1.1", "192.0.2.7"],
    ["only proxies", "10.0.0.1", "10.3.3.3, 10.2.2.2", "10.3.3.3"],
    ["a proxy of each kind", "::ffff:10.0.0.1", "2001:db8::7, 2001:db8:f::2", "2001:db8::7"],
    ["brackets and ports", "10.0.0.1", "[2001:db8::7]:4711, 10.1.1.1:80", "2001:db8::7"],
    ["an IPv4-mapped entry", "10.0.0.1", "::ffff:192.0.2.7, ::ffff:10.1.1.1", "192.0.2.7"],
    ["empty elements", "10.0.0.1", " , 192.0.2.7 ,, 10.1.1.1, ", "192.0.2.7"],
    ["an empty header", "10.0.0.1", "", "10.0.0.1"],
    ["garbage in the client's position", "10.0.0.1", "192.0.2.7, unknown", null],
    ["garbage left of the client", "10.0.0.1", "<script>, 192.0.2.7", "192.0.2.7"],
    ["garbage behind trusted proxies", "10.0.0.1", "192.0.2.7, _hidden, 10.1.1.1", null],
    ["a zone", "fe80::1%eth0", null, "fe80::1"],
    ["an IPv6 proxy", "2001:db8:f::1", "2001:db8::7", "2001:db8::7"],
    ["an IPv6 client in the long form", "2001:db8:f::1", "2001:0DB8:0000::0007", "2001:db8::7"],
    ["an IPv4-mapped proxy in hexadecimal", "::ffff:a00:1", "192.0.2.7, ::ffff:0a01:0101", "192.0.2.7"],
    ["a header sent twice", "10.0.0.1", ["198.51.100.1", "192.0.2.7"].join(","), "192.0.2.7"],
    ["a header sent twice, the second one empty", "10.0.0.1", ["192.0.2.7", ""].join(","), "192.0.2.7"],
    ["tabs and spaces", "10.0.0.1", "\t192.0.2.7 \t,\t 10.1.1.1  ", "192.0.2.7"],
    ["only commas", "10.0.0.1", ",,,,", "10.0.0.1"],
    ["a port on the client's entry", "10.0.0.1", "192.0.2.7:65535", "192.0.2.7"],
    ["an invalid port", "10.0.0.1", "192.0.2.7:http, 10.1.1.1", null],
    ["an entry in quotes", "10.0.0.1", '"192.0.2.7"', null],
    ["the syntax of Forwarded", "10.0.0.1", "for=192.0.2.7;proto=https", null],
    ["entries separated by semicolons", "10.0.0.1", "192.0.2.7; 10.1.1.1", null],
    ["a range as an entry", "10.0.0.1", "192.0.2.0/24", null],
    ["a proxy in octal", "10.0.0.1", "192.0.2.7, 012.0.0.1", null],
    ["a proxy outside the trusted range", "10.0.0.1", "192.0.2.7, 11.0.0.1", "11.0.0.1"],
    ["loopback as the client", "10.0.0.1", "127.0.0.1", "127.0.0.1"],
    ["a thousand proxies", "10.0.0.1", `192.0.2.7${", 10.1.1.1".repeat(1000)}`, "192.0.2.7"],
    ["a thousand forged entries", "10.0.0.1", `${"198.51.100.1, ".repeat(1000)}192.0.2.7`, "192.0.2.7"],
    ["no peer", "", "192.0.2.7", null],
    ["a peer that is not an address", "/run/socket", "192.0.2.7", null],
  ])("with %s", (_, peer, forwardedFor, address) => {
    expect(clientAddress(peer, forwardedFor, PROXIES)).toBe(address);
  });

  const anyHeader = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom("unknown", "10.0.0.1", ""))).map((each) => each.join(", ")),
  );

  test("is the peer's, regardless of headers, if no proxy is trusted", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), anyHeader, (peer, header) => {
        expect(clientAddress(peer, header, [])).toBe(clientAddress(peer, null, []));
        expect(clientAddress(peer, header, [])).toBe(parseAddress(peer));
      }),
    );
  });

  const isProxy = (address: string) => clientAddress(address, "0.0.0.1", PROXIES) === "0.0.0.1";
  const stranger = fc.oneof(fc.ipV4(), fc.ipV6()).filter((each) => !isProxy(each));
  const byte = fc.nat(255);
  /** A trusted proxy, in any notation of its address. */
  const proxy = fc.oneof(
    fc.tuple(byte, byte, byte).map(([a, b, c]) => `10.${a}.${b}.${c}`),
    fc.tuple(byte, byte, byte, fc.nat(65_535)).map(([a, b, c, port]) => `10.${a}.${b}.${c}:${port}`),
    fc.tuple(byte, byte, byte).map(([a, b, c]) => `::ffff:10.${a}.${b}.${c}`),
    byte.map((last) => `2001:db8:f::${last.toString(16)}`),
    byte.map((last) => `[2001:DB8:F::${last.toString(16)}]:443`),
  );
  const peer = fc.oneof(
    byte.map((last) => `10.0.0.${last}`),
    byte.map((last) => `::ffff:10.0.0.${last}`),
  );

  test("ignores everything left of the rightmost untrusted address, behind any number of proxies", () => {
    fc.assert(
      fc.property(anyHeader, stranger, fc.array(proxy), peer, (forged, client, proxies, last) => {
        const chain = [forged, client, ...proxies].join(", ");
        expect(clientAddress(last, chain, PROXIES)).toBe(parseAddress(client));
      }),
    );
  });

  test("is unknown if an invalid entry precedes the trusted proxies", () => {
    const garbage = fc.constantFrom(
      "unknown",
      "_hidden",
      "for=192.0.2.7",
      "192.0.2.256",
      "localhost",
      "\u0000",
      "%",
      "::g",
    );
    fc.assert(
      fc.property(anyHeader, garbage, fc.array(proxy), peer, (forged, nonsense, proxies, last) => {
        expect(clientAddress(last, [forged, nonsense, ...proxies].join(","), PROXIES)).toBeNull();
      }),
    );
  });

  test("is an address in the chain, and a proxy's address only if all entries are proxies", () => {
    const entry = fc.oneof(stranger, proxy, fc.constantFrom("unknown", "", " "));
    fc.assert(
      fc.property(fc.array(entry), peer, (entries, last) => {
        const address = clientAddress(last, entries.join(","), PROXIES);
        const chain = [...entries, last].filter((each) => each.trim() !== "").map(parseAddress);
        expect(chain).toContain(address);
        if (address !== null && isProxy(address))
          expect(chain.every((each) => each !== null && isProxy(each))).toBe(true);
      }),
    );
  });
});
