import { expect, test } from "vitest";
import { reversedAddress } from "@/lib/network/names/reverse-name";

test.each([
  ["5.0.0.10.in-addr.arpa", "10.0.0.5"],
  ["0.10.in-addr.arpa", "10.0.0.0"],
  ["5.0-25.0.0.10.in-addr.arpa", "10.0.0.0"],
  ["lb._dns-sd._udp.0.1.168.192.in-addr.arpa", "192.168.1.0"],
  [`b${".0".repeat(29)}.d.f.ip6.arpa`, "fd00:0000:0000:0000:0000:0000:0000:000b"],
  ["1.c.f.ip6.arpa", "fc10:0000:0000:0000:0000:0000:0000:0000"],
  ["site.test", null],
  ["in-addr.arpa.site.test", null],
  ["xin-addr.arpa", null],
])("%s", (name, address) => {
  expect(reversedAddress(name)).toBe(address);
});
