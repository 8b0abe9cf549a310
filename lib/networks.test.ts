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
  ])("%s is kept as %s", (text, canonical) => {
    expect(formatNetwork(parseNetwork(text))).toBe(canonical);
  });

  test.each(["", "10.1", "0x7f000001", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "::/129", "fe80::1%eth0", "host"])(
    "%j is refused",
    (text) => {
      expect(() => parseNetwork(text)).toThrow("is neither");
    },
  );

  test("bits after the prefix are refused with the network meant", () => {
    expect(() => parseNetwork("2001:db8::1/32")).toThrow("the network meant is 2001:db8::/32");
  });

  test("an IPv4-mapped address is matched as IPv4, and junk never", () => {
    const networks = ["10.0.0.0/8", "2001:db8::/32"].map(parseNetwork);
    expect(inNetworks("::ffff:10.1.2.3", networks)).toBe(true);
    expect(inNetworks("2001:db8::9", networks)).toBe(true);
    expect(inNetworks("11.0.0.1", networks)).toBe(false);
    expect(inNetworks("", networks)).toBe(false);
  });
});
