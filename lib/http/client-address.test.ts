import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clientAddress, parseAddress } from "@/lib/http/client-address";
import { parseNetwork } from "@/lib/networks";

const PROXIES = ["10.0.0.0/8", "2001:db8:f::/48"].map(parseNetwork);

describe("an address as sockets and headers give it", () => {
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
  ])("%j is %s", (text, address) => {
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
  ])("%j is none", (text) => {
    expect(parseAddress(text)).toBeNull();
  });

  test("is canonical: what comes out comes out again", () => {
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
    ["no header from a stranger", "192.0.2.7", null, "192.0.2.7"],
    ["a forged header from a stranger", "192.0.2.7", "198.51.100.1", "192.0.2.7"],
    ["a trusted proxy without a header", "10.0.0.1", null, "10.0.0.1"],
    ["one proxy", "10.0.0.1", "192.0.2.7", "192.0.2.7"],
    ["several proxies", "10.0.0.1", "192.0.2.7, 10.1.1.1, 10.2.2.2", "192.0.2.7"],
    ["what the client wrote left of itself", "10.0.0.1", "198.51.100.1, 192.0.2.7", "192.0.2.7"],
    ["a client that claims to be a proxy", "10.0.0.1", "10.9.9.9, 192.0.2.7, 10.1.1.1", "192.0.2.7"],
    ["nothing but proxies", "10.0.0.1", "10.3.3.3, 10.2.2.2", "10.3.3.3"],
    ["a proxy of each kind", "::ffff:10.0.0.1", "2001:db8::7, 2001:db8:f::2", "2001:db8::7"],
    ["brackets and ports", "10.0.0.1", "[2001:db8::7]:4711, 10.1.1.1:80", "2001:db8::7"],
    ["an IPv4-mapped entry", "10.0.0.1", "::ffff:192.0.2.7, ::ffff:10.1.1.1", "192.0.2.7"],
    ["empty elements", "10.0.0.1", " , 192.0.2.7 ,, 10.1.1.1, ", "192.0.2.7"],
    ["an empty header", "10.0.0.1", "", "10.0.0.1"],
    ["garbage where the client should stand", "10.0.0.1", "192.0.2.7, unknown", null],
    ["garbage left of the client", "10.0.0.1", "<script>, 192.0.2.7", "192.0.2.7"],
    ["garbage behind trusted proxies", "10.0.0.1", "192.0.2.7, _hidden, 10.1.1.1", null],
    ["a zone", "fe80::1%eth0", null, "fe80::1"],
    ["an IPv6 proxy", "2001:db8:f::1", "2001:db8::7", "2001:db8::7"],
    ["an IPv6 client that is written long", "2001:db8:f::1", "2001:0DB8:0000::0007", "2001:db8::7"],
    ["a proxy that is IPv4-mapped in hexadecimal", "::ffff:a00:1", "192.0.2.7, ::ffff:0a01:0101", "192.0.2.7"],
    ["a header sent twice", "10.0.0.1", ["198.51.100.1", "192.0.2.7"].join(","), "192.0.2.7"],
    ["a header sent twice, the last of them empty", "10.0.0.1", ["192.0.2.7", ""].join(","), "192.0.2.7"],
    ["tabs and spaces", "10.0.0.1", "\t192.0.2.7 \t,\t 10.1.1.1  ", "192.0.2.7"],
    ["nothing but commas", "10.0.0.1", ",,,,", "10.0.0.1"],
    ["a port on the client's entry", "10.0.0.1", "192.0.2.7:65535", "192.0.2.7"],
    ["a port that is none", "10.0.0.1", "192.0.2.7:http, 10.1.1.1", null],
    ["an entry in quotes", "10.0.0.1", '"192.0.2.7"', null],
    ["the syntax of Forwarded", "10.0.0.1", "for=192.0.2.7;proto=https", null],
    ["entries divided by semicolons", "10.0.0.1", "192.0.2.7; 10.1.1.1", null],
    ["a range for an entry", "10.0.0.1", "192.0.2.0/24", null],
    ["an octal proxy", "10.0.0.1", "192.0.2.7, 012.0.0.1", null],
    ["a proxy from outside of the range", "10.0.0.1", "192.0.2.7, 11.0.0.1", "11.0.0.1"],
    ["loopback for a client", "10.0.0.1", "127.0.0.1", "127.0.0.1"],
    ["a thousand proxies", "10.0.0.1", `192.0.2.7${", 10.1.1.1".repeat(1000)}`, "192.0.2.7"],
    ["a thousand forged entries", "10.0.0.1", `${"198.51.100.1, ".repeat(1000)}192.0.2.7`, "192.0.2.7"],
    ["no peer", "", "192.0.2.7", null],
    ["a peer that is no address", "/run/socket", "192.0.2.7", null],
  ])("with %s", (_, peer, forwardedFor, address) => {
    expect(clientAddress(peer, forwardedFor, PROXIES)).toBe(address);
  });

  const anyHeader = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom("unknown", "10.0.0.1", ""))).map((each) => each.join(", ")),
  );

  test("is the peer's whatever any header says, where no proxy is trusted", () => {
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
  /** A proxy of ours, however it writes its address. */
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

  test("does not change with anything left of an address that is no proxy's, behind however many proxies", () => {
    fc.assert(
      fc.property(anyHeader, stranger, fc.array(proxy), peer, (forged, client, proxies, last) => {
        const chain = [forged, client, ...proxies].join(", ");
        expect(clientAddress(last, chain, PROXIES)).toBe(parseAddress(client));
      }),
    );
  });

  test("is unknown behind what is no address, whatever stands left of that", () => {
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

  test("is an address that stands in the chain, and a proxy's only where all of them are", () => {
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
