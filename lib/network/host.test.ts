import { describe, expect, test } from "vitest";
import { parseHost, parseName } from "@/lib/network/host";

describe("parseHost", () => {
  test.each([
    ["example.com", "example.com"],
    [" Example.COM. ", "example.com"],
    ["localhost", "localhost"],
    ["_dmarc.example.com", "_dmarc.example.com"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["BÜCHER.example", "xn--bcher-kva.example"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["例え。テスト", "xn--r8jz45g.xn--zckzah"],
    ["192.0.2.7", "192.0.2.7"],
    ["2001:DB8:0:0::7", "2001:db8::7"],
    ["[2001:db8::7]", "2001:db8::7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
  ])("%s is normalized to %s", (text, host) => {
    expect(parseHost(text)).toBe(host);
  });

  test.each([
    ["", "host name"],
    [".", "host name"],
    ["a..b", "host name"],
    ["-a.test", "host name"],
    ["a-.test", "host name"],
    [`${"a".repeat(64)}.test`, "host name"],
    [`${"a.".repeat(127)}test`, "host name"],
    ["*.example.com", "host name"],
    ["https://example.com", "URL"],
    ["example.com/path", "URL"],
    ["user@example.com", "URL"],
    ["a b.test", "URL"],
    ["example.com:443", "port"],
    ["fe80::1%eth0", "zone"],
    ["a\u0000.test", "control"],
    ["a.test\r\nX: y", "control"],
    ["a\u202e\ud800.test", "control"],
    ["10.1", "host name"],
    ["0x7f000001", "host name"],
    ["2130706433", "host name"],
    ["1.2.3.4.5", "host name"],
    ["192.0.2.256", "host name"],
  ])("refuses %j", (text, why) => {
    expect(() => parseHost(text)).toThrow(why);
  });

  test("a name is not an address", () => {
    expect(parseName("Example.com")).toBe("example.com");
    for (const text of ["192.0.2.7", "2001:db8::7", "[::1]", "a/b", "bücher.test/b", "bücher.test:1", "１２７.0.0.1"])
      expect(() => parseName(text)).toThrow("host name");
  });
});
